/** Finding runs by the table's indexes: those of an owner, and those that are overdue. Indexes hold keys alone, and may lag. */
import type { Item, Table } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";

import { ACTIVE_SHARDS, DELETING_SHARD, ENDED_SHARD } from "./keys.ts";
import { withPool } from "./lanes/pool.ts";
import { isReadable, runOf } from "./parse-run.ts";

export interface RunsFound {
  runs: Run[];
  unreadable?: string[];
  cursor?: string;
}

export interface DueRange {
  upTo: string;
  limit: number;
}

export const createFinder = (table: Table) => ({
  /** `unreadable`: ids of runs that another version wrote. */
  async runs(range: { owner: string; cursor?: string; limit: number }): Promise<RunsFound> {
    const { owner, ...rest } = range;
    const others: string[] = [];
    for (let { cursor } = range; ; ) {
      const from = cursor === undefined ? {} : { cursor };
      const page = await table.index("owner", { partition: owner, reverse: true, ...rest, ...from });
      const items = await readAll(table, page.items);
      const readable = items.filter(isReadable).map(runOf);
      const runs = await Promise.all(readable.filter(({ deleting }) => !deleting).map((run) => withPool(table, run)));
      others.push(...items.filter((item) => !isReadable(item)).map(({ id }) => String(id)));
      const found = others.length > 0 ? { runs, unreadable: others } : { runs };
      if (page.cursor === undefined) return found;
      if (runs.length > 0) return { ...found, cursor: page.cursor };
      cursor = page.cursor;
    }
  },

  /** Active runs that were not written to in time, the longest overdue first. */
  async overdue(range: DueRange): Promise<string[]> {
    const shards = await Promise.all(ACTIVE_SHARDS.map((shard) => found(table, shard, range)));
    const runs = shards.flat().sort((one, other) => (dueWith(one) < dueWith(other) ? -1 : 1));
    return runs.slice(0, range.limit).map(({ id }) => id);
  },

  /** Runs whose deletion was not continued in time. */
  async halfDeleted(range: DueRange): Promise<string[]> {
    return (await found(table, DELETING_SHARD, range)).map(({ id }) => id);
  },

  /** Runs that ended before, the oldest ending first. */
  async ended(range: DueRange): Promise<string[]> {
    return (await found(table, ENDED_SHARD, range)).map(({ id }) => id);
  },
});

const dueWith = ({ dueAt, id }: Run): string => `${dueAt} ${id}`;

/** Unreadable runs are skipped. */
async function found(table: Table, partition: string, range: DueRange): Promise<Run[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await table.index("due", { partition, ...range, ...(cursor === undefined ? {} : { cursor }) });
    const readable = (await readAll(table, page.items)).filter(isReadable);
    if (readable.length > 0 || page.cursor === undefined) return readable.map(runOf);
    cursor = page.cursor;
  }
}

const READS_AT_ONCE = 50;

/** As they are now, without those that are gone. */
export async function readAll(table: Table, keys: Item[]): Promise<Item[]> {
  const items: (Item | undefined)[] = [];
  for (let start = 0; start < keys.length; start += READS_AT_ONCE) {
    const batch = keys.slice(start, start + READS_AT_ONCE).map(({ pk, sk }) => table.get({ pk, sk }));
    items.push(...(await Promise.all(batch)));
  }
  return items.flatMap((item) => item ?? []);
}
