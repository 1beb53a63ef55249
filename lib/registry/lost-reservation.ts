/** The unsettled call of a dead attempt counts as spent, with what it had cost at most: it may have been charged. Pure. */
import type { Condition } from "../core/ports.ts";
import type { Reservation } from "../core/run/budget.ts";
import type { EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";

/** Part of the condition of a write that charges it: the old attempt may still write until it is fenced. */
const ACCOUNTS = [
  "events",
  "calls",
  "failures",
  "microUsd",
  "inputTokens",
  "reservedMicroUsd",
  "reservedTokens",
  "atRisk",
] as const;

/** Of a patch: those that it changes. */
export const accountsAsRead = (run: Run, patch?: Partial<Run>): Condition[] =>
  ACCOUNTS.filter((name) => !patch || name in patch || (name === "atRisk" && "reservedTokens" in patch)).map(
    (attribute) => {
      const is = run[attribute];
      return is === undefined ? { attribute, missing: true } : { attribute, is };
    },
  );

/** An earlier version did not say what was at risk: then it is all that was reserved. */
function lostCall({ reservedMicroUsd, reservedTokens, atRisk }: Run): Reservation {
  const [microUsd, tokens] = atRisk ?? [reservedMicroUsd, reservedTokens];
  return { microUsd: Math.min(reservedMicroUsd, microUsd), tokens: Math.min(reservedTokens, tokens) };
}

/** As the run's record has it. */
export const atRiskOf = ({ microUsd, tokens }: Reservation): NonNullable<Run["atRisk"]> => [microUsd, tokens];

/** The charge is given back if the answer turns out to be stored. */
export function chargeLostReservation(run: Run) {
  const lost = lostCall(run);
  return {
    microUsd: run.microUsd + lost.microUsd,
    inputTokens: run.inputTokens + lost.tokens,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    ...(lost.microUsd + lost.tokens > 0 ? { writtenOff: { attempt: run.attempt, ...lost } } : {}),
  };
}

export function lostReservationEvents(run: Run): EventBody[] {
  const lost = lostCall(run);
  if (lost.microUsd === 0 && lost.tokens === 0) return [];
  return [{ type: "written_off", ...lost, why: "a call was in flight when the previous attempt ended" }];
}

/** What was charged for a call whose answer is found stored is given back, so that the events sum up to what the run cost. */
export function foundAnswerEvents({ writtenOff }: Run): EventBody[] {
  if (!writtenOff || writtenOff.microUsd + writtenOff.tokens === 0) return [];
  const { microUsd, tokens } = writtenOff;
  return [{ type: "written_off", microUsd: -microUsd, tokens: -tokens, why: "the answer of that call was stored" }];
}

/** With the next answer: if it is the stored one, nothing was lost. Where a repair laid answers, more may follow. */
export function settleWrittenOff<Patch extends Pick<Run, "microUsd" | "inputTokens">>(
  { writtenOff }: Run,
  isStored: boolean,
  patch: Patch,
): Patch & { remove: (keyof Run)[] } {
  if (!isStored || !writtenOff) return { ...patch, remove: ["writtenOff"] };
  const { attempt, microUsd, tokens } = writtenOff;
  const returned = { microUsd: patch.microUsd - microUsd, inputTokens: patch.inputTokens - tokens };
  return { ...patch, ...returned, remove: attempt === undefined ? [] : ["writtenOff"] };
}
