/** Turns side by side: one column each, or several turns in one where there are more turns than a chart has room for. Pure. */
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { turnAddress } from "../../../lib/core/turn/turn-address.ts";

export interface Column {
  turns: TurnRecord[];
  /** The places of its first turn, and of the one after its last, among all. */
  from: number;
  to: number;
}

export const NO_COLUMN: Column = { turns: [], from: 0, to: 0 };

export function columnsOf(turns: TurnRecord[], most: number): Column[] {
  const each = Math.max(1, Math.ceil(turns.length / Math.max(1, most)));
  return Array.from({ length: Math.ceil(turns.length / each) }, (_, index) => {
    const [from, to] = [index * each, Math.min(turns.length, (index + 1) * each)];
    return { turns: turns.slice(from, to), from, to };
  });
}

/** `3.2`, or `3.2 to 4.1`; `3.2@4` is of lane 4. */
export function placeOf({ turns }: Pick<Column, "turns">): string {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return "";
  const [from, to] = [turnAddress(first), turnAddress(last)];
  return from === to ? from : `${from} to ${to}`;
}

/** Where a shape of the column leads to: its last turn. */
export function leadsTo({ turns }: Pick<Column, "turns">): { "data-at"?: string } {
  const last = turns.at(-1);
  return last ? { "data-at": turnAddress(last) } : {};
}

/** Where an instruction begins, in columns. */
export interface AxisStart {
  at: number;
  instruction: number;
}

export const beginnings = (columns: Column[]): AxisStart[] => {
  let before = -1;
  return columns.flatMap(({ turns }, index) =>
    turns.flatMap(({ instruction }, place) => {
      if (instruction === before) return [];
      before = instruction;
      return [{ at: index + place / turns.length, instruction }];
    }),
  );
};
