/** Reserves the maximum cost of a call before it is made, under the ceilings; only one call of a run is in flight. */
import { Fenced } from "../core/errors.ts";
import type { Condition, Write } from "../core/ports.ts";
import { MICRO, type Reservation } from "../core/run/budget.ts";
import { DAY_SHARDS, LEASING, type Lease, leasedMicroUsd } from "../core/run/day-shards.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter, laterOf } from "./claim.ts";
import { dateOf, dayReservation, isLeased, reserveAcrossShards, reserveInShard } from "./daily-ledger.ts";
import { fenced, fenceOf, notCancelled, readRun, throwIfFenced } from "./fence.ts";
import { laneKey, metaKey, shardOf } from "./keys.ts";
import { Held, type PoolLimit, throwIfHeld } from "./lanes/held.ts";
import { isPooled } from "./lanes/pool.ts";
import { atRiskOf } from "./lost-reservation.ts";
import { type RunWrite, type RunWritten, type WriteContext, writeRun } from "./write-run.ts";

/** `atRisk`: what of it a call costs at most whose process dies at once. Absent: all of it. */
export type CallReservation = Reservation & { atRisk?: Reservation };

export interface ReservationRequest {
  reservation: CallReservation;
  invocationMs: number;
}

/** Other runs change the shards of the day meanwhile, and other lanes the accounts of the run. */
const TRIES = 5;

/** Under the run's own ceilings. Answers the run with the reservation in it; throws Fenced, Cancelled or Held. */
export async function reserve(context: WriteContext, run: Run, request: ReservationRequest): Promise<Run> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const written = await writeRun(context, writeOf(run, request, { now: context.now }));
    if (written.ok) return written.run;
    await throwIfNotOfDay(context, run, { request, written });
    if (!isPooled(run)) refused(run, request);
  }
  throw new Held(run, { ceiling: undefined, mayReturn: true });
}

/** After a refused reservation: what refused it, if it was not the day. Of a pool that has the room now, nothing is said. */
async function throwIfNotOfDay(
  { table }: WriteContext,
  run: Run,
  { request, written }: { request: ReservationRequest; written: Extract<RunWritten, { ok: false }> },
): Promise<void> {
  await throwIfFenced(table, fenceOf(run));
  const ofRecord = run.lane === undefined ? 1 : 2;
  if (written.refused.some((place) => place < ofRecord)) {
    if (run.lane !== undefined && (await readRun(table, run.id))?.endedAt !== undefined)
      throw new Fenced(`Run ${run.id} has ended.`);
    refused(run, request);
  }
  if (written.refusedByPool) await throwIfHeld(table, run, ceilingsOf(run, request.reservation));
}

/** Of what all lanes have spent and reserved, as it is when this is written. */
const poolLimits = (run: Run, reservation: Reservation): Condition[] =>
  ceilingsOf(run, reservation).map(({ attribute, atMost }) => ({ attribute, atMost }));

function ceilingsOf({ options: { budget } }: Run, reservation: Reservation): PoolLimit[] {
  const { usd, tokens, turns } = budget;
  return [
    ...(usd === undefined
      ? []
      : [
          {
            ceiling: "usd" as const,
            attribute: "committedMicroUsd",
            atMost: Math.floor(usd * MICRO) - reservation.microUsd,
          },
        ]),
    ...(tokens === undefined
      ? []
      : [{ ceiling: "tokens" as const, attribute: "committedTokens", atMost: tokens - reservation.tokens }]),
    ...(turns === undefined ? [] : [{ ceiling: "turns" as const, attribute: "committedTurns", atMost: turns - 1 }]),
  ];
}

function refused({ id }: Run, { reservation }: ReservationRequest): never {
  throw new Error(`Run ${id}: a reservation of ${reservation.microUsd} micro-dollars was refused under its own fence.`);
}

/** `dailyMicroUsd`: what all runs may spend together today. Undefined: the others left too little of it. Throws as `reserve`. */
export async function reserveToday(context: WriteContext, run: Run, request: DayRequest): Promise<Run | undefined> {
  const { now, table, leasing = LEASING } = context;
  const { microUsd } = request.reservation;
  const limitMicroUsd = request.dailyMicroUsd;
  const place = { date: dateOf(now), shard: shardOf(run.id, DAY_SHARDS), limitMicroUsd };
  const attempt = async (day: DayPlace, ledger?: Write[]): Promise<Run | undefined> => {
    const written = await writeRun(context, { ...writeOf(run, request, { now, day }), ...(ledger ? { ledger } : {}) });
    if (written.ok) return written.run;
    await throwIfNotOfDay(context, run, { request, written });
    return undefined;
  };
  if (isLeased(run, { ...place, microUsd })) return attempt({ ...place, lease: run.lease });
  // What a lease has left is reckoned from the accounts of one spender.
  const leased = isPooled(run) ? undefined : leasedMicroUsd(microUsd, { limitMicroUsd, leasing });
  const lease = leased === undefined ? undefined : { microUsd: leased, from: run.microUsd, limitMicroUsd };
  const reserved =
    lease &&
    (await attempt({ ...place, lease }, reserveInShard(dayReservation(run, place, lease.microUsd), leasing.perShard)));
  if (reserved) return reserved;
  const day = dayReservation(run, place, microUsd);
  let ledger: Write[] | undefined = reserveInShard(day);
  for (let tries = 0; ledger && tries < TRIES; tries += 1) {
    const written = await attempt(place, ledger);
    if (written) return written;
    ledger = await reserveAcrossShards(table, day);
  }
  return undefined;
}

type DayRequest = ReservationRequest & { dailyMicroUsd: number };
export type DayLimits = Omit<DayRequest, "reservation">;

interface DayPlace {
  date: string;
  shard: number;
  lease?: Lease | undefined;
}

const DAY = ["reservedOn", "reservedShard"] as const;

function writeOf(
  run: Run,
  { reservation, invocationMs }: ReservationRequest,
  { now, day }: { now: number; day?: DayPlace },
): RunWrite {
  const when: Condition[] = [
    ...fenced(fenceOf(run)),
    notCancelled,
    // A lane makes no call for a run that has ended.
    ...(run.lane === undefined ? [] : [{ attribute: "endedAt", missing: true } as const]),
    { attribute: "reservedMicroUsd", is: 0 },
    { attribute: "reservedTokens", is: 0 },
  ];
  const { usd } = run.options.budget;
  // The ceiling is part of the write itself.
  if (usd !== undefined) when.push({ attribute: "microUsd", atMost: Math.floor(usd * MICRO) - reservation.microUsd });
  return {
    run,
    pool: { turns: 1, when: poolLimits(run, reservation) },
    set: {
      reservedMicroUsd: reservation.microUsd,
      reservedTokens: reservation.tokens,
      ...(reservation.atRisk ? { atRisk: atRiskOf(reservation.atRisk) } : {}),
      ...(day ? { reservedOn: day.date, reservedShard: day.shard } : {}),
      ...(day?.lease ? { lease: day.lease } : {}),
      // An index entry moves with it: it stays where the claim set it late enough.
      dueAt: laterOf(run.dueAt, dueAfter(now, invocationMs)),
    },
    remove: [
      "heldSince",
      ...(reservation.atRisk ? [] : (["atRisk"] as const)),
      ...(day ? [] : DAY),
      ...(day?.lease ? [] : (["lease"] as const)),
    ],
    when,
  };
}

/** Of the call in flight, by now and for a while to come. Answers false where it is not this attempt's any more. */
export async function noteRisk(
  { table }: Pick<WriteContext, "table">,
  run: Run,
  atRisk: Reservation,
): Promise<boolean> {
  const update = run.lane === undefined ? metaKey(run.id) : laneKey(run.id, run.lane);
  return (await table.transact([{ update, set: { atRisk: atRiskOf(atRisk) }, when: fenced(fenceOf(run)) }])).ok;
}
