/** How many instructions of a run may be at work, so that what is left of its ceilings is enough to finish them. Pure. */
import { FIRST_OUTPUT_TOKENS } from "../../limits.ts";
import { costOf, MICRO } from "../budget.ts";
import { claimedUsage } from "../over-reservation.ts";
import type { Run } from "../run.ts";

type Spender = Pick<Run, "options" | "profile" | "answerLimit" | "calls" | "overReservation"> &
  Pick<Run, "turns" | "microUsd" | "inputTokens" | "outputTokens">;

/** Before one is done, what it takes is not known: as much as a few calls at their most, and as many turns as most take. */
const UNKNOWN_RESERVATIONS = 3;
const UNKNOWN_TURNS = 10;

/** `turns`: the most that one of those done lately took. Absent: none is done yet. */
export function roomForInstructions(run: Spender, turns: number | undefined): number {
  const { microUsd, inputTokens, outputTokens } = claimedUsage(run);
  const { usd, tokens, turns: turnLimit } = run.options.budget;
  const perCall = (spent: number): number => (run.calls > 0 ? spent / run.calls : 0);
  const input = Math.ceil(perCall(run.inputTokens));
  const output = Math.min(run.answerLimit ?? FIRST_OUTPUT_TOKENS, run.profile.maxOutputTokens);
  const reserved = costOf(run.profile.price, { inputTokens: input, cachedTokens: 0, outputTokens: output });
  const need = (reservation: number, spent: number): number =>
    turns === undefined ? UNKNOWN_RESERVATIONS * reservation : Math.max(reservation, turns * perCall(spent));
  const rooms = [
    usd === undefined ? undefined : (usd * MICRO - microUsd) / need(reserved, microUsd),
    tokens === undefined
      ? undefined
      : (tokens - inputTokens - outputTokens) / need(input + output, inputTokens + outputTokens),
    turnLimit === undefined ? undefined : (turnLimit - run.turns) / Math.max(1, turns ?? UNKNOWN_TURNS),
  ];
  return Math.floor(
    Math.min(...rooms.map((room) => (room === undefined || Number.isNaN(room) ? Number.POSITIVE_INFINITY : room))),
  );
}
