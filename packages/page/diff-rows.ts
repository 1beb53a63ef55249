/** The rows of a diff: changed lines with a little context. Pure. */

export interface Part {
  added?: boolean;
  removed?: boolean;
  value: string;
}

export type DiffRow =
  | { kind: "same"; old: number; now: number }
  | { kind: "removed"; old: number }
  | { kind: "added"; now: number }
  | { kind: "left out"; lines: number };

/** Lines of the same that are shown around a change. */
const AROUND = 3;

/** Numbers count from 1. */
export function diffRows(parts: Part[]): DiffRow[] {
  let [old, now] = [0, 0];
  return parts.flatMap(({ added, removed, value }, index): DiffRow[] => {
    const count = lineCount(value);
    const each = (row: (line: number) => DiffRow): DiffRow[] => Array.from({ length: count }, (_, line) => row(line));
    const [oldBefore, nowBefore] = [old, now];
    if (!added) old += count;
    if (!removed) now += count;
    if (added) return each((line) => ({ kind: "added", now: nowBefore + line + 1 }));
    if (removed) return each((line) => ({ kind: "removed", old: oldBefore + line + 1 }));
    const same = each((line) => ({ kind: "same", old: oldBefore + line + 1, now: nowBefore + line + 1 }));
    return shortened(same, { isFirst: index === 0, isLast: index === parts.length - 1 });
  });
}

function shortened(same: DiffRow[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): DiffRow[] {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const lines = same.length - head - tail;
  if (lines <= 1) return same;
  return [...same.slice(0, head), { kind: "left out", lines }, ...same.slice(same.length - tail)];
}

/** The end of the last line begins no other. */
const lineCount = (value: string): number =>
  value === "" ? 0 : value.split("\n").length - (value.endsWith("\n") ? 1 : 0);

export const countOf = (rows: DiffRow[], kind: DiffRow["kind"]): number =>
  rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0);
