/** Rows in aligned columns, no wider than there is room. Pure. */
import { columnsOf, fitted, padded } from "./columns.ts";

export interface Column {
  head: string;
  /** What it may be cut to where there is too little room; absent: it is not cut. Those on the right are cut first. */
  least?: number;
  /** Left out where there is less room than this. */
  from?: number;
}

export function table(columns: Column[], rows: string[][], room = Number.POSITIVE_INFINITY): string {
  const kept = columns.map((column, at) => ({ ...column, at })).filter(({ from = 0 }) => room >= from);
  const all = [columns.map(({ head }) => head), ...rows].map((row) => kept.map(({ at }) => row[at] ?? ""));
  const widths = kept.map((_, at) => Math.max(...all.map((row) => columnsOf(row[at] ?? ""))));
  let over = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - room;
  for (const [at, { least }] of [...kept.entries()].reverse()) {
    const width = widths[at] ?? 0;
    const cut = Math.max(0, Math.min(over, width - (least ?? width)));
    widths[at] = width - cut;
    over -= cut;
  }
  const lines = all.map((row) => row.map((cell, at) => padded(cell, widths[at] ?? 0)).join(GAP));
  return `${lines.map((line) => fitted(line.trimEnd(), room)).join("\n")}\n`;
}

const GAP = "  ";
