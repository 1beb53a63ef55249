/** Times for people. Pure. */

/** `2026-01-01 12:00 UTC`. */
export const dateWords = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

export function spanWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
