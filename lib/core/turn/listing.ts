/** The listing of files with which an instruction opens: recent ones first, then counts per folder. Pure. */
import { LISTING_TOKENS } from "../limits.ts";
import { linesWithin } from "./shown-notes.ts";
import type { FileEntry } from "./turn.ts";

/** The listing's share of the window is an eighth at most. */
export const listingTokens = (contextWindow: number): number => Math.min(LISTING_TOKENS, Math.floor(contextWindow / 8));

export function listingOf(entries: FileEntry[], contextWindow: number): string {
  const budget = listingTokens(contextWindow);
  const recent = [...entries].sort(byRecency);
  const shown = recent.map(({ path, lines, bytes }) => `${path} (${lines} lines, ${bytes} bytes)`);
  const { lines } = linesWithin(shown, budget * 0.8);
  const rest = recent.slice(lines.length);
  return [...lines, ...folderCounts(rest, Math.floor((budget * 0.2 * 3) / 40))].join("\n");
}

const byRecency = (a: FileEntry, b: FileEntry): number =>
  b.instruction - a.instruction || b.turn - a.turn || (a.path < b.path ? -1 : 1);

function folderCounts(entries: FileEntry[], most: number): string[] {
  if (entries.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/") + 1) : "(top folder)";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folders = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = folders.slice(0, Math.max(1, most)).map(([folder, count]) => `${folder}: ${count} more files`);
  const hidden = folders.length - shown.length;
  return hidden > 0 ? [...shown, `and ${hidden} more folders; list_files shows all`] : shown;
}
