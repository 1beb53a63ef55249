/** Differences as they are printed: byte for byte in a pipe, coloured and without escapes on a terminal. */
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Color, Paint } from "../display/paint.ts";
import type { FileDiff } from "./file-diff.ts";

export const exactText = (diffs: FileDiff[]): string => diffs.flatMap(({ lines }) => lines).join("");

/** Without line ends. */
export const shownLines = (diff: FileDiff, paint: Paint): string[] =>
  diff.lines.map((line) => {
    const shown = line.slice(0, -1).replaceAll("\t", TAB);
    const color = colorOf(shown);
    return color ? paint(color, sanitizeLine(shown)) : sanitizeLine(shown);
  });

const TAB = "    ";

function colorOf(line: string): Color | undefined {
  if (/^(diff --git|---|\+\+\+|new file|deleted file) /.test(line)) return "bold";
  if (line.startsWith("@@")) return "blue";
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
