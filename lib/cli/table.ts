/** Rows in aligned columns. Pure. */
import { columnsOf, padded } from "./plain-text.ts";

export function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => columnsOf(row[column] ?? ""))));
  const lines = all.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
