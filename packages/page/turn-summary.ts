/** A turn in one line: what it did, its marks and its cost. Pure. */
import { amount, money, pluralize, spanWords } from "../../lib/core/text/format.ts";
import { laneWordsOf } from "../../lib/core/turn/lane-turns.ts";
import type { TurnOutcome, TurnRecord } from "../../lib/core/turn/turn.ts";
import { type TurnAddress, turnAddress } from "../../lib/core/turn/turn-address.ts";

export interface TurnMark {
  text: string;
  kind: "good" | "bad" | "odd";
}

/** Runs of older versions have no summary. */
export const didOf = ({ did, outcome }: TurnRecord): string => did ?? (outcome === "tools" ? "tools" : "");

export function marksOf(turn: TurnRecord, before?: TurnRecord): TurnMark[] {
  const { outcome, refused, amended = [], segment } = turn;
  const ended = outcome && ENDED[outcome];
  const lane = laneWordsOf(turn);
  return [
    ...(lane === undefined ? [] : [{ text: lane, kind: turn.ahead === "dropped" ? "bad" : "odd" } as const]),
    ...(before && before.lane === turn.lane && before.segment !== segment
      ? [{ text: "new conversation", kind: "odd" } as const]
      : []),
    ...(ended ? [{ text: ended, kind: "odd" } as const] : []),
    ...amended.map((path) => ({ text: `amended ${path}`, kind: "odd" }) as const),
    ...(refused === undefined ? foundMarks(turn) : [{ text: `refused: ${refusal(turn)}`, kind: "bad" } as const]),
    ...(outcome === "accepted" ? [{ text: "accepted", kind: "good" } as const] : []),
  ];
}

const ENDED: Partial<Record<TurnOutcome, string>> = {
  prose: "answered without a tool call",
  cut: "cut off at the output limit",
  timed_out: "no answer in time",
  context_exceeded: "too long for the context window",
  answer: "answered by a person",
  discarded: "skipped, changes reverted",
};

function foundMarks({ found: { errors = 0, failed = 0, passed = 0 } = {} }: TurnRecord): TurnMark[] {
  return [
    ...(errors > 0 ? [{ text: pluralize(errors, "syntax error"), kind: "bad" } as const] : []),
    ...(failed > 0 ? [{ text: failedWords(failed), kind: "bad" } as const] : []),
    ...(failed === 0 && passed > 0 ? [{ text: `${pluralize(passed, "test")} passed`, kind: "good" } as const] : []),
  ];
}

const failedWords = (failed: number): string => `${pluralize(failed, "test")} failed`;

/** What the gate names, with how much of it was found. */
function refusal({ refused = "", found: { errors = 0, failed = 0 } = {} }: TurnRecord): string {
  const counts: Record<string, string> = {
    syntax: errors > 0 ? pluralize(errors, "syntax error") : "syntax",
    tests: failed > 0 ? failedWords(failed) : "tests",
    "locked tests": "locked tests weakened",
    "given tests": "given tests fail",
    command: "the command failed",
  };
  const parts = refused.split(" and ");
  return parts.every((part) => Object.hasOwn(counts, part)) ? parts.map((part) => counts[part]).join(", ") : refused;
}

export const costOf = ({ inputTokens, cachedTokens, outputTokens, microUsd, milliseconds }: TurnRecord): string =>
  [
    `${amount(inputTokens)} in${cachedTokens > 0 ? ` (${amount(cachedTokens)} cached)` : ""}`,
    `${amount(outputTokens)} out`,
    ...(microUsd > 0 ? [money(microUsd)] : []),
    spanWords(milliseconds),
  ].join(" · ");

/** The API's name for the state after a turn. */
export const atOf = (at: TurnAddress): string => turnAddress(at);

export function nameOf({ instruction, turn, lane }: TurnAddress): string {
  if (instruction === 0) return `planning, turn ${turn}`;
  return `instruction ${instruction}, turn ${turn}${lane === undefined ? "" : ` of lane ${lane}`}`;
}
