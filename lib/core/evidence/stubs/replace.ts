/** Replaces parts of a text that do not overlap. Pure. */
import type { Replacement } from "./stub-file.ts";

export function replaceAll(text: string, parts: Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: instead } of parts.toSorted((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), instead);
    at = end;
  }
  return [...pieces, text.slice(at)].join("");
}

/** As many line feeds as there were, so that lines keep their numbers. */
export const lineFeedsIn = (text: string): string => "\n".repeat(text.split("\n").length - 1);
