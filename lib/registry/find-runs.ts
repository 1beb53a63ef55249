/** Finding runs by the table's indexes: those of an owner, and those that are overdue. Indexes may lag. */
import type { Table } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { ACTIVE_SHARD, DELETING_SHARD, ENDED_SHARD } from "./keys.ts";
import { isReadable, runOf } from "./parse-run.ts";

export interface RunsFound {
  runs: Run[];
  unreadable?: string[];
  cursor?: string;
}

export const createFinder = (table: Table) => ({
  /** `unreadable`: ids of runs that another version wrote. */
  async runs(range: { owner: string; cursor?: string; limit: number }): Promise<RunsFound> {
    const { owner, ...rest } = range;
    const others: string[] = [];
    for (let { cursor } = range; ; ) {
      const from = cursor === undefined ? {} : { cursor };
      const page = await table.index("owner", { partition: owner, reverse: true, ...rest, ...from });
      const runs = page.items
        .filter(isReadable)
        .map(runOf)
        .filter(({ deleting }) => !deleting);
      others.push(...page.items.filter((item) => !isReadable(item)).map(({ id }) => String(id)));
      const found = others.length > 0 ? { runs, unreadable: others } : { runs };
      if (page.cursor === undefined) return found;
      if (runs.length > 0) return { ...found, cursor: page.cursor };
      cursor = page.cursor;
    }
  },

  /** Active runs that were not written to in time, the longest overdue first. */
  async overdue(range: { upTo: string; limit: number }): Promise<string[]> {
    return found(table, ACTIVE_SHARD, range);
  },

  /** Runs whose deletion was not continued in time. */
  async halfDeleted(range: { upTo: string; limit: number }): Promise<string[]> {
    return found(table, DELETING_SHARD, range);
  },

  /** Runs that ended before, the oldest ending first. */
  async ended(range: { upTo: string; limit: number }): Promise<string[]> {
    return found(table, ENDED_SHARD, range);
  },
});

/** Unreadable runs are skipped. */
async function found(table: Table, partition: string, range: { upTo: string; limit: number }): Promise<string[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await table.index("due", { partition, ...range, ...(cursor === undefined ? {} : { cursor }) });
    const readable = page.items.filter(isReadable);
    if (readable.length > 0 || page.cursor === undefined) return readable.map((item) => runOf(item).id);
    cursor = page.cursor;
  }
}
