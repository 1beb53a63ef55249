/** The daily ledger: what all runs spend together on a UTC date, changed in the transaction of the run that spends it. */
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

/** The ledger entry of a change, for the date of the reservation (which may be yesterday). */
export function ledgerEntry(before: Accounts, after: Accounts): LedgerEntry | undefined {
  const reservedMicroUsd = ledgered(after) - ledgered(before);
  const microUsd = after.microUsd - before.microUsd + reservedMicroUsd;
  if (after.reservedOn === undefined || (microUsd === 0 && reservedMicroUsd === 0)) return undefined;
  return { date: after.reservedOn, add: { microUsd, reservedMicroUsd } };
}

/** A reservation without a date was made before there was a ledger: no day contains it. */
const ledgered = ({ reservedOn, reservedMicroUsd }: Accounts): number =>
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
  // The first entry of the day: create the item, as another run may have done meanwhile.
  await table.transact([{ put: { ...key, ...NOTHING }, when: [{ item: "absent" }] }]);
  return table.transact(all);
}
