/** Rows of figures, each with its aim, as a plain table. */

export interface Row {
  what: string;
  figure: string;
  aim: string;
  /** Absent: a figure without an aim. */
  reached?: boolean;
}

export function tableOf(rows: Row[]): string {
  const cells = rows.map(({ what, figure, aim, reached }) => [
    what,
    figure,
    aim,
    reached === undefined ? "" : reached ? "yes" : "NO",
  ]);
  const all = [["what", "figure", "aim", "reached"], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(all[0] ?? []), widths.map((width) => "-".repeat(width)).join("  "), ...cells.map(line)].join("\n");
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
export const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;
