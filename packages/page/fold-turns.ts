/** Turns of an instruction as rows: repeated refusals are one row. Also, which turns went wrong. Pure. */
import type { TurnRecord } from "../../lib/core/turn/turn.ts";
import { didOf, marksOf } from "./turn-summary.ts";

export type TurnRow = { turn: TurnRecord; before: TurnRecord | undefined } | { folded: TurnRecord[] };

/** Between the first and the last, so many at least are folded. */
const FOLDED_FROM = 2;

/** `open`: turns that are shown in any case. */
export function foldTurns(turns: TurnRecord[], isShown: (turn: TurnRecord) => boolean): TurnRow[] {
  const rows: TurnRow[] = [];
  const add = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      const turn = turns[at];
      if (turn) rows.push({ turn, before: turns[at - 1] });
    }
  };
  for (let from = 0; from < turns.length; ) {
    let to = from + 1;
    while (to < turns.length && isRepeated(turns[from], turns[to])) to += 1;
    const middle = turns.slice(from + 1, to - 1);
    if (middle.length < FOLDED_FROM || middle.some(isShown)) add(from, to);
    else {
      add(from, from + 1);
      rows.push({ folded: middle });
      add(to - 1, to);
    }
    from = to;
  }
  return rows;
}

const isRepeated = (one: TurnRecord | undefined, other: TurnRecord | undefined): boolean =>
  one?.refused !== undefined &&
  other !== undefined &&
  one.refused === other.refused &&
  one.lane === other.lane &&
  didOf(one) === didOf(other);

/** A refusal, an error, a red test, or an answer that was no use. */
export const isFailure = (turn: TurnRecord): boolean =>
  marksOf(turn).some(({ kind, text }) => kind === "bad" || ENDED.has(text));

const ENDED = new Set(["answered without a tool call", "cut off at the output limit", "no answer in time"]);

export const failuresIn = (turns: TurnRecord[]): number[] =>
  turns.flatMap((turn, index) => (isFailure(turn) ? [index] : []));
