/** The daily ceiling in shards: each holds a share of it, and gets from the others what it lacks. Pure. */
import * as z from "zod";
import { Day } from "./daily.ts";

/** As many runs can reserve at the same moment without a conflict. */
export const DAY_SHARDS = 16;

export const DayShard = Day.extend({
  /** The ceiling of which it has a share. */
  limitMicroUsd: z.number(),
  /** What it holds above its share: below 0 while it has room. */
  overShare: z.number(),
});
export type DayShard = z.infer<typeof DayShard>;

/** What a run took of a shard at a time: until it has spent that, its calls change nothing that runs share. */
export const Lease = z.object({
  microUsd: z.int().min(0),
  /** What the run had spent before. */
  from: z.int().min(0),
  /** The ceiling at that time. */
  limitMicroUsd: z.int().min(0),
});
export type Lease = z.infer<typeof Lease>;

/** How much runs take at a time: a small day is shared call by call. */
export interface Leasing {
  /** Worst cases of a call. */
  calls: number;
  /** A lease is no more than such a part of the day. */
  perDay: number;
  /** A shard must have room for as many. */
  perShard: number;
}

export const LEASING: Leasing = { calls: 4, perDay: 128, perShard: 8 };

/** For calls that are reserved at so much. Undefined: the day is too small for leases. */
export function leasedMicroUsd(
  reserved: number,
  { limitMicroUsd, leasing }: { limitMicroUsd: number; leasing: Leasing },
): number | undefined {
  const leased = Math.min(leasing.calls * reserved, Math.floor(limitMicroUsd / leasing.perDay));
  return leased >= 2 * reserved ? leased : undefined;
}

export interface ShareRequest {
  /** What each shard has left of its share. */
  rooms: number[];
  /** What no shard has a share of yet. Below 0: the ceiling was lowered. */
  unshared: number;
  home: number;
  /** What the home shard must have room for. */
  microUsd: number;
}

/** What each share gains or loses; all together, what was unshared. */
export function moveShares({ rooms, unshared, home, microUsd }: ShareRequest): number[] {
  const even = Math.max(0, Math.floor(unshared / rooms.length));
  const gains = rooms.map(() => even);
  const rest = unshared - even * rooms.length;
  let missing = microUsd - rest - even - (rooms[home] ?? 0);
  let taken = 0;
  for (const { shard, room } of richestFirst(rooms, home, even)) {
    if (missing <= 0) break;
    // Half of it, so that the next reservation here finds room.
    const part = Math.min(room, Math.max(missing, Math.ceil(room / 2)));
    gains[shard] = even - part;
    taken += part;
    missing -= part;
  }
  gains[home] = even + rest + taken;
  return gains;
}

function richestFirst(rooms: number[], home: number, even: number): { shard: number; room: number }[] {
  return rooms
    .map((room, shard) => ({ shard, room: room + even }))
    .filter(({ shard, room }) => shard !== home && room > 0)
    .sort((one, other) => other.room - one.room);
}
