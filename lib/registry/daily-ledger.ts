/** The daily ledger: what the runs under a daily ceiling spend on a UTC date, changed in the transaction of the run that spends it. */
import type { Condition, Table, Write } from "../core/ports.ts";
import { Day } from "../core/run/daily.ts";
import { DAY_SHARDS, DayShard, moveShares } from "../core/run/day-shards.ts";
import { isEnded, type Run } from "../core/run/run.ts";
import { dayKey, dayShardKey } from "./keys.ts";

export const dateOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const NOTHING: Day = { microUsd: 0, reservedMicroUsd: 0 };

interface Ledger {
  shards: (DayShard | undefined)[];
  /** Of reservations that an earlier version made. */
  unsharded: Day;
}

async function readShards(table: Table, date: string): Promise<Ledger> {
  const keys = Array.from({ length: DAY_SHARDS }, (_, shard) => dayShardKey(date, shard));
  const [unsharded, ...items] = await Promise.all([dayKey(date), ...keys].map((key) => table.get(key)));
  return {
    shards: items.map((item) => item && DayShard.parse(item)),
    unsharded: unsharded ? Day.parse(unsharded) : NOTHING,
  };
}

export async function readLedger(table: Table, now: number): Promise<Day> {
  const { shards, unsharded } = await readShards(table, dateOf(now));
  return [...shards, unsharded].reduce<Day>(
    (sum, day) => ({
      microUsd: sum.microUsd + (day?.microUsd ?? 0),
      reservedMicroUsd: sum.reservedMicroUsd + (day?.reservedMicroUsd ?? 0),
    }),
    NOTHING,
  );
}

type Accounts = Pick<Run, "microUsd" | "reservedMicroUsd" | "reservedOn" | "reservedShard" | "lease">;

/** What a day holds for a run: what it has spent, and what it may still spend. */
const heldFor = ({ microUsd, reservedMicroUsd, reservedOn, lease }: Accounts): { spent: number; open: number } =>
  lease ? { spent: lease.from, open: lease.microUsd } : { spent: microUsd, open: reservedOn ? reservedMicroUsd : 0 };

/** It is given back where the run stops, and where its calls have cost more. */
export const isLeaseOver = ({ status, lease, ...run }: Accounts & Pick<Run, "status">): boolean =>
  lease !== undefined &&
  (status === "waiting" ||
    isEnded(status) ||
    run.reservedOn === undefined ||
    run.microUsd + run.reservedMicroUsd > lease.from + lease.microUsd);

/** Whether it has room for a call, under the ceiling as it is now. */
export const isLeased = (run: Run, call: { microUsd: number; date: string; limitMicroUsd: number }): boolean =>
  run.lease !== undefined &&
  run.reservedOn === call.date &&
  run.lease.limitMicroUsd === call.limitMicroUsd &&
  run.microUsd + call.microUsd <= run.lease.from + run.lease.microUsd;

/** What a change of a run's accounts writes, for the date of the reservation (which may be yesterday). */
export function ledgerWrites(before: Accounts, after: Accounts): Write[] {
  // No ceiling is set any more.
  if (after.reservedOn === undefined && before.lease) return returnLease(before);
  const [held, holds] = [heldFor(before), heldFor(after)];
  const reservedMicroUsd = holds.open - held.open;
  const microUsd = holds.spent - held.spent + reservedMicroUsd;
  const { reservedOn, reservedShard } = after;
  if (reservedOn === undefined || (microUsd === 0 && reservedMicroUsd === 0)) return [];
  if (reservedShard === undefined) return [{ update: dayKey(reservedOn), add: { microUsd, reservedMicroUsd } }];
  const add = { microUsd, reservedMicroUsd, overShare: microUsd };
  return [{ update: dayShardKey(reservedOn, reservedShard), add }];
}

/** What is left of it, to the day from which it was taken. */
const returnLease = (run: Accounts): Write[] => ledgerWrites(run, { ...run, lease: undefined });

export interface DayReservation {
  date: string;
  shard: number;
  /** What the shard holds more than before. */
  microUsd: number;
  reservedMicroUsd: number;
  limitMicroUsd: number;
  /** Of a lease that was taken on another day. */
  returned: Write[];
}

/** The run holds `open` from now on, in place of what it held. */
export function dayReservation(
  run: Run,
  place: Pick<DayReservation, "date" | "shard" | "limitMicroUsd">,
  open: number,
): DayReservation {
  const isHere = run.reservedOn === place.date && run.reservedShard === place.shard;
  const held = isHere ? heldFor(run) : { spent: run.microUsd, open: 0 };
  const reservedMicroUsd = open - held.open;
  const microUsd = run.microUsd - held.spent + reservedMicroUsd;
  return { ...place, microUsd, reservedMicroUsd, returned: isHere || !run.lease ? [] : returnLease(run) };
}

/** Out of the shard's own share. `times`: as much must be there. What gives something back needs no more room. */
export const reserveInShard = (asked: DayReservation, times = 1): Write[] => [
  {
    update: dayShardKey(asked.date, asked.shard),
    add: { microUsd: asked.microUsd, reservedMicroUsd: asked.reservedMicroUsd, overShare: asked.microUsd },
    when: [
      { attribute: "limitMicroUsd", atMost: asked.limitMicroUsd },
      { attribute: "overShare", atMost: -(asked.microUsd > 0 ? times : 1) * asked.microUsd },
    ],
  },
  ...asked.returned,
];

/** Takes from the shares of others what the shard lacks. Undefined: the day has too little left. */
export async function reserveAcrossShards(table: Table, asked: DayReservation): Promise<Write[] | undefined> {
  const { date, shard: home, microUsd, limitMicroUsd } = asked;
  const { shards, unsharded } = await readShards(table, date);
  const held = shards.reduce((sum, shard) => sum + (shard?.microUsd ?? 0), unsharded.microUsd);
  if (limitMicroUsd - held < microUsd) return undefined;
  const [ceiling, ...others] = new Set(shards.map((shard) => shard?.limitMicroUsd));
  // They were read one by one, while another run wrote all of them.
  if (others.length > 0) return reserveInShard(asked);
  const rooms = shards.map((shard) => -(shard?.overShare ?? 0));
  // Never the sum of what was read: shares move meanwhile.
  const unshared = limitMicroUsd - (ceiling ?? unsharded.microUsd);
  const gains = moveShares({ rooms, unshared, home, microUsd });
  return [...gains.flatMap((gain, shard) => shareWrites(asked, { shard, gain, ceiling })), ...asked.returned];
}

/** A share is what its shard may hold: where it gains, the shard is less above it. */
function shareWrites(
  { date, shard: home, microUsd, reservedMicroUsd, limitMicroUsd }: DayReservation,
  { shard, gain, ceiling }: { shard: number; gain: number; ceiling: number | undefined },
): Write[] {
  const key = dayShardKey(date, shard);
  const spent = shard === home ? microUsd : 0;
  const over = spent - gain;
  const spends = { microUsd: spent, reservedMicroUsd: shard === home ? reservedMicroUsd : 0 };
  if (ceiling === undefined) {
    return [{ put: { ...key, ...spends, overShare: over, limitMicroUsd }, when: [{ item: "absent" }] }];
  }
  if (over === 0 && shard !== home && ceiling === limitMicroUsd) return [];
  const when: Condition[] = [{ attribute: "limitMicroUsd", is: ceiling }];
  if (gain < 0 || shard === home) when.push({ attribute: "overShare", atMost: -over });
  return [{ update: key, set: { limitMicroUsd }, add: { ...spends, overShare: over }, when }];
}
