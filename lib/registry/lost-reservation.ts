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

/** The charge is given back if the answer turns out to be stored. */
export const chargeLostReservation = (run: Run) => {
  const { attempt, reservedMicroUsd: microUsd, reservedTokens: tokens } = run;
  return {
    microUsd: run.microUsd + microUsd,
    inputTokens: run.inputTokens + tokens,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    ...(microUsd + tokens > 0 ? { writtenOff: { attempt, microUsd, tokens } } : {}),
  };
};

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
