/** Reserves the maximum cost of a call before it is made, under the ceilings; only one call of a run is in flight. */
import type { Condition, Write } from "../core/ports.ts";
import { MICRO, type Reservation } from "../core/run/budget.ts";
import { DAY_SHARDS } from "../core/run/day-shards.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter, laterOf } from "./claim.ts";
import { type DayReservation, dateOf, reserveAcrossShards, reserveInShard } from "./daily-ledger.ts";
import { fenced, fenceOf, notCancelled, throwIfFenced } from "./fence.ts";
import { shardOf } from "./keys.ts";
import { type RunWrite, type WriteContext, writeRun } from "./write-run.ts";

export interface ReservationRequest {
  reservation: Reservation;
  invocationMs: number;
}

/** Under the run's own ceilings. Answers the run with the reservation in it; throws Fenced or Cancelled. */
export async function reserve(context: WriteContext, run: Run, request: ReservationRequest): Promise<Run> {
  const written = await writeRun(context, writeOf(run, request, { now: context.now }));
  if (written.ok) return written.run;
  await throwIfFenced(context.table, fenceOf(run));
  return refused(run, request);
}

function refused({ id }: Run, { reservation }: ReservationRequest): never {
  throw new Error(`Run ${id}: a reservation of ${reservation.microUsd} micro-dollars was refused under its own fence.`);
}

/** Other runs may change the shards of the day meanwhile. */
const TRIES = 5;

/** `dailyMicroUsd`: what all runs may spend together today. Undefined: the others left too little of it. */
export async function reserveToday(
  context: WriteContext,
  run: Run,
  request: ReservationRequest & { dailyMicroUsd: number },
): Promise<Run | undefined> {
  const { now, table } = context;
  const { microUsd } = request.reservation;
  const day = { date: dateOf(now), shard: shardOf(run.id, DAY_SHARDS), microUsd, limitMicroUsd: request.dailyMicroUsd };
  let ledger: Write[] | undefined = reserveInShard(day);
  for (let tries = 0; ledger && tries < TRIES; tries += 1) {
    const written = await writeRun(context, { ...writeOf(run, request, { now, day }), ledger });
    if (written.ok) return written.run;
    await throwIfFenced(table, fenceOf(run));
    if (written.refused.includes(0)) return refused(run, request);
    ledger = await reserveAcrossShards(table, day);
  }
  return undefined;
}

function writeOf(
  run: Run,
  { reservation, invocationMs }: ReservationRequest,
  { now, day }: { now: number; day?: DayReservation },
): RunWrite {
  const when: Condition[] = [
    ...fenced(fenceOf(run)),
    notCancelled,
    { attribute: "reservedMicroUsd", is: 0 },
    { attribute: "reservedTokens", is: 0 },
  ];
  const { usd } = run.options.budget;
  // The ceiling is part of the write itself.
  if (usd !== undefined) when.push({ attribute: "microUsd", atMost: Math.floor(usd * MICRO) - reservation.microUsd });
  return {
    run,
    set: {
      reservedMicroUsd: reservation.microUsd,
      reservedTokens: reservation.tokens,
      ...(day ? { reservedOn: day.date, reservedShard: day.shard } : {}),
      // An index entry moves with it: it stays where the claim set it late enough.
      dueAt: laterOf(run.dueAt, dueAfter(now, invocationMs)),
    },
    remove: day ? ["heldSince"] : ["heldSince", "reservedOn", "reservedShard"],
    when,
  };
}
