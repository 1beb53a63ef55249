/** What turns did to files: the marks of the file chart, where each is, its tooltip and its link. Pure. */
import type { PathChange, TurnRecord } from "../../../lib/core/turn/turn.ts";
import { type TurnAddress, turnAddress } from "../../../lib/core/turn/turn-address.ts";
import { type Column, NO_COLUMN, placeOf } from "./columns.ts";
import { type Box, classOf, filledOf, type Kind } from "./marks.ts";
import { ROW } from "./row-names.ts";
import { element, hint } from "./svg.ts";

/** Of several in one place, the first of these is shown. */
export const TOUCHES = ["created", "deleted", "written", "read"] as const;
export type Touch = (typeof TOUCHES)[number];

/** The change counts before the look. */
export function touchesOf({
  changes,
  read = [],
}: Pick<TurnRecord, "changes" | "read">): [path: string, touch: Touch][] {
  const changed = changes.map((change): [string, Touch] => [change.path, touchIn(change)]);
  const looked = read.filter((path) => !changes.some((change) => change.path === path));
  return [...changed, ...looked.map((path): [string, Touch] => [path, "read"])];
}

const touchIn = ({ sha256, was }: PathChange): Touch =>
  sha256 === null ? "deleted" : was === null ? "created" : "written";

export interface Cell {
  row: number;
  column: number;
  /** The first in the order of the legend, and the last turn and file with it. */
  touch: Touch;
  at: TurnAddress;
  path: string;
  counts: Partial<Record<Touch, number>>;
}

export function cellsOf(
  columns: Column[],
  touched: [path: string, touch: Touch][][],
  rowOf: Map<string, number>,
): Cell[] {
  return columns.flatMap(({ turns, from }, column) => {
    const cells = new Map<number, Cell>();
    for (const [index, at] of turns.entries())
      for (const [path, touch] of touched[from + index] ?? []) {
        const row = rowOf.get(path) ?? 0;
        const cell = cells.get(row);
        if (!cell) cells.set(row, { row, column, touch, at, path, counts: { [touch]: 1 } });
        else addTo(cell, { touch, at, path });
      }
    return [...cells.values()];
  });
}

function addTo(cell: Cell, { touch, at, path }: Pick<Cell, "touch" | "at" | "path">): void {
  cell.counts[touch] = (cell.counts[touch] ?? 0) + 1;
  if (TOUCHES.indexOf(touch) <= TOUCHES.indexOf(cell.touch)) Object.assign(cell, { touch, at, path });
}

export function cellBox(
  { row, column }: Pick<Cell, "row" | "column">,
  { x, top }: { x: (column: number) => number; top: number },
): Box {
  const wide = x(1) - x(0);
  return {
    x: x(column) + (wide > 6 ? 0.5 : 0),
    y: top + row * ROW + 2,
    width: wide - (wide > 6 ? 1 : 0),
    height: ROW - 4,
  };
}

export const drawnCell = (
  { kind, box, row, at, path, counts }: Cell & { kind: Kind; box: Box },
  { name, column = NO_COLUMN }: { name: string; column: Column | undefined },
): string =>
  element(
    "rect",
    {
      class: classOf(kind),
      ...filledOf(kind.shape, box),
      "data-at": turnAddress(at),
      "data-row": row,
      "data-file": encodeURIComponent(path.toWellFormed()),
    },
    hint(`${name}: ${countsWords(counts)} in ${placeOf(column)}`),
  );

/** `created`; of several `1 created, 4 read`. */
function countsWords(counts: Cell["counts"]): string {
  const there = TOUCHES.flatMap((touch) => (counts[touch] ? [`${counts[touch]} ${touch}`] : []));
  return there.length === 1 && there[0]?.startsWith("1 ") ? there[0].slice(2) : there.join(", ");
}
