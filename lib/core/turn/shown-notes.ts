/** The beginning of the project's notes, as an instruction's prompt shows it. Pure. */
import { byteLength } from "../text/file-text.ts";
import { likelyTokens } from "./estimate.ts";

export function shownNotes(text: string, { path, tokens }: { path: string; tokens: number }): string {
  const lines = text.trim().split("\n");
  const shown: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += likelyTokens(byteLength(line) + 1, { tokensPerByte: 0 });
    if (used > tokens) break;
    shown.push(line);
  }
  const more = lines.length - shown.length;
  if (more === 0) return shown.join("\n");
  return [...shown, `(${path} goes on for ${more} more lines; shorten it)`].join("\n");
}
