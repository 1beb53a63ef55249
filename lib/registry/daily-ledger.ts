/** The day's books: what all runs spend on a UTC date together, changed in the very transaction of the run that spends it. */

import type { Condition, Table, Write, Written } from "../core/ports.ts";
import { Day } from "../core/run/daily.ts";
import type { Run } from "../core/run/run.ts";
import { dayKey } from "./keys.ts";

export const dateOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const NOTHING: Day = { microUsd: 0, reservedMicroUsd: 0 };

export async function readLedger(table: Table, now: number): Promise<Day> {
  const item = await table.get(dayKey(dateOf(now)));
  return item ? Day.parse(item) : NOTHING;
}

type Accounts = Pick<Run, "microUsd" | "reservedMicroUsd" | "reservedOn">;

export interface LedgerEntry {
  date: string;
  add: Day;
  when?: Condition[];
}

/** What a change of a run's accounts is in the books of the day on which it reserved: midnight may lie in between. */
export function ledgerEntry(before: Accounts, after: Accounts): LedgerEntry | undefined {
  const reservedMicroUsd = booked(after) - booked(before);
  const microUsd = after.microUsd - before.microUsd + reservedMicroUsd;
  if (after.reservedOn === undefined || (microUsd === 0 && reservedMicroUsd === 0)) return undefined;
  return { date: after.reservedOn, add: { microUsd, reservedMicroUsd } };
}

/** A reservation that does not say its day was made before there were such books: no day knows of it. */
const booked = ({ reservedOn, reservedMicroUsd }: Accounts): number =>
  reservedOn === undefined ? 0 : reservedMicroUsd;

/** The entry is the last of the writes. */
export async function transactWithLedger(
  table: Table,
  writes: Write[],
  entry: LedgerEntry | undefined,
): Promise<Written> {
  if (!entry) return table.transact(writes);
  const key = dayKey(entry.date);
  const all: Write[] = [...writes, { update: key, add: { ...entry.add }, when: entry.when ?? [] }];
  const written = await table.transact(all);
  if (written.ok || !written.refused.includes(writes.length) || (await table.get(key))) return written;
  // The first of the day. Whoever was faster has made the same.
  await table.transact([{ put: { ...key, ...NOTHING }, when: [{ item: "absent" }] }]);
  return table.transact(all);
}
