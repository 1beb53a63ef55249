/** Reserves the maximum cost of a call before it is made, under the ceilings; only one call of a run is in flight. */
import type { Condition } from "../core/ports.ts";
import { MICRO, type Reservation } from "../core/run/budget.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter } from "./claim.ts";
import { dateOf } from "./daily-ledger.ts";
import { fenced, fenceOf, notCancelled, throwIfFenced } from "./fence.ts";
import { type WriteContext, writeRun } from "./write-run.ts";

export interface ReservationRequest {
  reservation: Reservation;
  invocationMs: number;
}

/** Answers the run with the reservation in it; throws Fenced or Cancelled. */
export async function reserve(context: WriteContext, run: Run, request: ReservationRequest): Promise<Run> {
  const reserved = await reserveToday(context, run, request);
  return reserved ?? refused(run, request);
}

function refused({ id }: Run, { reservation }: ReservationRequest): never {
  throw new Error(`Run ${id}: a reservation of ${reservation.microUsd} micro-dollars was refused under its own fence.`);
}

/** `dailyMicroUsd`: what all runs may spend together today. Undefined: the others left too little of it. */
export async function reserveToday(
  context: WriteContext,
  run: Run,
  request: ReservationRequest & { dailyMicroUsd?: number },
): Promise<Run | undefined> {
  const { reservation, invocationMs, dailyMicroUsd } = request;
  const { now, table } = context;
  const when: Condition[] = [
    ...fenced(fenceOf(run)),
    notCancelled,
    { attribute: "reservedMicroUsd", is: 0 },
    { attribute: "reservedTokens", is: 0 },
  ];
  const { usd } = run.options.budget;
  // The ceiling is part of the write itself.
  if (usd !== undefined) when.push({ attribute: "microUsd", atMost: Math.floor(usd * MICRO) - reservation.microUsd });
  const written = await writeRun(context, {
    run,
    set: {
      reservedMicroUsd: reservation.microUsd,
      reservedTokens: reservation.tokens,
      reservedOn: dateOf(now),
      dueAt: dueAfter(now, invocationMs),
    },
    remove: ["heldSince"],
    when,
    ...(dailyMicroUsd === undefined
      ? {}
      : { ledgerWhen: [{ attribute: "microUsd", atMost: dailyMicroUsd - reservation.microUsd }] }),
  });
  if (written.ok) return written.run;
  await throwIfFenced(table, fenceOf(run));
  return written.refused.includes(0) ? refused(run, request) : undefined;
}
