/** The unsettled reservation of a dead attempt counts as spent: its call may have been charged. Pure. */
import type { EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";

/** Part of the condition of a write that charges it: the old attempt may still write until it is fenced. */
export const ACCOUNTS = [
  "events",
  "calls",
  "failures",
  "microUsd",
  "inputTokens",
  "reservedMicroUsd",
  "reservedTokens",
] as const;

export const chargeLostReservation = (run: Run) => ({
  microUsd: run.microUsd + run.reservedMicroUsd,
  inputTokens: run.inputTokens + run.reservedTokens,
  reservedMicroUsd: 0,
  reservedTokens: 0,
});

export function lostReservationEvents(run: Run): EventBody[] {
  if (run.reservedMicroUsd === 0 && run.reservedTokens === 0) return [];
  return [
    {
      type: "written_off",
      microUsd: run.reservedMicroUsd,
      tokens: run.reservedTokens,
      why: "a call was in flight when the previous attempt ended",
    },
  ];
}
