/** The beginning of a text, as an instruction's prompt shows it. Pure. */
import { byteLength } from "../text/file-text.ts";
import { likelyTokens } from "./estimate.ts";

export function shownNotes(text: string, { path, tokens }: { path: string; tokens: number }): string {
  const { lines, more } = linesWithin(text.trim().split("\n"), tokens);
  if (more === 0) return lines.join("\n");
  return [...lines, `(${path} goes on for ${more} more lines; shorten it)`].join("\n");
}

/** `more`: how many come after them. */
export function linesWithin(all: string[], tokens: number): { lines: string[]; more: number } {
  const lines: string[] = [];
  let used = 0;
  for (const line of all) {
    used += likelyTokens(byteLength(line) + 1, { tokensPerByte: 0 });
    if (used > tokens) break;
    lines.push(line);
  }
  return { lines, more: all.length - lines.length };
}
