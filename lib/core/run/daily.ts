/** The daily ceiling: what all runs may spend together on a UTC date. Pure. Money is in micro-dollars. */
import * as z from "zod";
import { INVOCATION_MS } from "../limits.ts";
import { money } from "../text/format.ts";
import type { Price } from "../turn/model-profile.ts";

/** Its books. */
export const Day = z.object({
  /** Settled, written off, and in flight. */
  microUsd: z.number(),
  /** The part in flight: settling may give some of it back. */
  reservedMicroUsd: z.number(),
});
export type Day = z.infer<typeof Day>;

/** The use of a date and its ceiling. */
export const DayAccount = Day.extend({ limitMicroUsd: z.number() });
export type DayAccount = z.infer<typeof DayAccount>;

/** What costs nothing has nothing to do with the day. */
export const isPriced = (price: Price | undefined): price is Price =>
  price !== undefined && (price.input > 0 || price.output > 0);

export const leftToday = ({ limitMicroUsd, microUsd }: DayAccount): number => limitMicroUsd - microUsd;

/** Were all that is in flight to cost nothing. */
export const leftAtBest = (day: DayAccount): number => leftToday(day) + day.reservedMicroUsd;

const usd = (microUsd: number): string => (microUsd / 1_000_000).toFixed(4);

export function usedUpWords({ limitMicroUsd, ...spent }: DayAccount, neededMicroUsd: number): string {
  if (neededMicroUsd > limitMicroUsd) {
    return `The daily ceiling of all runs together, $${limitMicroUsd / 1_000_000}, is less than what one call could cost ($${usd(neededMicroUsd)}): no day has room for it.`;
  }
  const inFlight = spent.reservedMicroUsd > 0 ? `, $${usd(spent.reservedMicroUsd)} of it for calls in flight` : "";
  return `The daily ceiling of all runs together is reached: $${usd(spent.microUsd)} of $${limitMicroUsd / 1_000_000} is used today${inFlight}, and the next call could cost more than what is left. A new day begins at 00:00 UTC.`;
}

/** The date's account in a line, for people. */
export function dayWords({ limitMicroUsd, microUsd, reservedMicroUsd }: DayAccount): string {
  const inFlight = reservedMicroUsd > 0 ? `, ${money(reservedMicroUsd)} of it reserved for calls in flight` : "";
  return `${money(microUsd)} of the daily ${money(limitMicroUsd)}, all runs together${inFlight}; resets at 00:00 UTC`;
}

/** The sweeper looks for what died as often. */
const SWEEP_MS = 300_000;
const GRACE_MS = 120_000;
/** By then whatever was in flight at the beginning has been settled or written off. */
const PATIENCE_MS = INVOCATION_MS + GRACE_MS + SWEEP_MS;
const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;

/** Longer the longer it has lasted, and never the same for two; undefined: it has waited long enough. */
export function secondsForRoom({ heldMs, random }: { heldMs: number; random: number }): number | undefined {
  if (heldMs >= PATIENCE_MS) return undefined;
  const aboutMs = Math.min(LONGEST_MS, Math.max(FIRST_MS, heldMs / 4));
  return Math.ceil((aboutMs * (0.5 + random)) / 1_000);
}
