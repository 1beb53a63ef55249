/** The two turns between which a file is compared, the older first. Pure. */
import { indexOfTurn } from "../../lib/core/run/history.ts";
import type { TurnRecord } from "../../lib/core/turn/turn.ts";
import { readTurnAddress } from "../../lib/core/turn/turn-address.ts";
import { nameOf } from "./turn-summary.ts";

export interface ComparePoint {
  /** Of its turn among all; -1: before the first. */
  index: number;
  label: string;
}

interface Comparison {
  turns: readonly TurnRecord[];
  chosen: number;
  /** What the file was before its last change until the chosen turn, or how it was somewhere else. */
  against: string;
  last: TurnRecord | undefined;
}

export function comparePoints({
  turns,
  chosen,
  against,
  last,
}: Comparison): [older: ComparePoint, newer: ComparePoint] {
  const other = against === "last" ? (last ? turns.indexOf(last) - 1 : -1) : indexOf(turns, against);
  const points = [other, chosen].map((index) => ({ index, label: labelOf(turns, index) }));
  const [one, two] = points as [ComparePoint, ComparePoint];
  return one.index > two.index ? [two, one] : [one, two];
}

function indexOf(turns: readonly TurnRecord[], against: string): number {
  if (against === "0") return -1;
  if (against === "end") return turns.length - 1;
  return indexOfTurn(turns, readTurnAddress(against) ?? { instruction: Number(against) });
}

function labelOf(turns: readonly TurnRecord[], index: number): string {
  const turn = turns[index];
  if (!turn) return "the start";
  if (index === turns.length - 1) return `the end (${nameOf(turn)})`;
  if (turns[index + 1]?.instruction === turn.instruction) return nameOf(turn);
  return turn.instruction === 0 ? "planning" : `instruction ${turn.instruction}`;
}
