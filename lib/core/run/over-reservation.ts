/** Charges above their reservation: they are recorded, and end a run once its ceiling is passed. Pure. */
import * as z from "zod";
import { count } from "../count.ts";
import { MICRO, type Reservation } from "./budget.ts";
import type { Run } from "./run.ts";

/** What servers charged above reservations. */
export const OverReservation = z.object({
  calls: count,
  /** What no call can have used: it is in no other book, and counts against the ceilings all the same. */
  microUsd: count,
  tokens: count,
});
export type OverReservation = z.infer<typeof OverReservation>;

/** A number in the books must be one: servers have claimed more tokens than there are numbers. */
const MOST = 2 ** 50;
const countable = (amount: number): number => Math.min(MOST, Math.max(0, Math.ceil(amount)));

/** `charged` is what the server says; `settled`, what of it is in the run's books. Undefined: no more than reserved. */
export function addOverReservation(
  before: OverReservation | undefined,
  reserved: Reservation,
  { charged, settled }: { charged: Reservation; settled: Reservation },
): OverReservation | undefined {
  if (!(charged.microUsd > reserved.microUsd || charged.tokens > reserved.tokens)) return undefined;
  const { calls, microUsd, tokens } = before ?? { calls: 0, microUsd: 0, tokens: 0 };
  return {
    calls: calls + 1,
    microUsd: countable(microUsd + countable(charged.microUsd - settled.microUsd)),
    tokens: countable(tokens + countable(charged.tokens - settled.tokens)),
  };
}

/** With what servers claim and no book holds. */
export function claimedUsage<Spent extends Pick<Run, "microUsd" | "inputTokens" | "overReservation">>(
  run: Spent,
): Spent {
  const { overReservation: over } = run;
  return over ? { ...run, microUsd: run.microUsd + over.microUsd, inputTokens: run.inputTokens + over.tokens } : run;
}

type Charged = Pick<Run, "microUsd" | "inputTokens" | "outputTokens" | "overReservation" | "options">;

export function isOverCharged(run: Charged): boolean {
  if (!run.overReservation) return false;
  const { usd, tokens } = run.options.budget;
  const claimed = claimedUsage(run);
  const usedTokens = claimed.inputTokens + claimed.outputTokens;
  return (
    (usd !== undefined && claimed.microUsd > Math.floor(usd * MICRO)) || (tokens !== undefined && usedTokens > tokens)
  );
}
