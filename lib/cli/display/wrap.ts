/** Long lines on a terminal, broken at spaces. In a pipe they stay whole. */
import { columnsOf } from "./columns.ts";
import type { Shell } from "./shell.ts";

export function sayWrapped({ progress, say }: Pick<Shell, "progress" | "say">, text: string): void {
  const room = progress.isTTY === true && progress.columns ? progress.columns - 1 : Number.POSITIVE_INFINITY;
  for (const line of wrapped(text, room)) say(line);
}

/** Commands stay whole: they are copied. */
export function sayReport(shell: Pick<Shell, "progress" | "say">, line: string): void {
  if (/^(Next| {2}or): /.test(line)) shell.say(line);
  else sayWrapped(shell, line);
}

/** A word that is longer than a line has one for itself. Lines after the first are indented. */
export function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line.trim() !== "" && columnsOf(longer) > room) {
      lines.push(line);
      line = `${INDENT}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}

const INDENT = "  ";
