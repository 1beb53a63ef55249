/** Finding runs by the table's indexes: those of an owner, and those that are overdue. Indexes may lag. */
import type { Table } from "../core/ports.ts";
import type { Run } from "../core/run.ts";
import { runOf } from "./fence.ts";
import { ACTIVE_SHARD, DELETING_SHARD, ENDED_SHARD } from "./keys.ts";

export const createFinder = (table: Table) => ({
  async runs(range: { owner: string; cursor?: string; limit: number }): Promise<{ runs: Run[]; cursor?: string }> {
    const { owner, ...rest } = range;
    for (let { cursor } = range; ; ) {
      const from = cursor === undefined ? {} : { cursor };
      const page = await table.index("owner", { partition: owner, reverse: true, ...rest, ...from });
      const runs = page.items.map(runOf).filter(({ deleting }) => !deleting);
      if (page.cursor === undefined) return { runs };
      if (runs.length > 0) return { runs, cursor: page.cursor };
      cursor = page.cursor;
    }
  },

  /** Active runs that nobody wrote to in time, those that wait longest first. */
  async overdue(range: { upTo: string; limit: number }): Promise<string[]> {
    return found(table, ACTIVE_SHARD, range);
  },

  /** Runs whose removal nobody went on with in time. */
  async halfDeleted(range: { upTo: string; limit: number }): Promise<string[]> {
    return found(table, DELETING_SHARD, range);
  },

  /** Runs that ended before, the oldest ending first. */
  async ended(range: { upTo: string; limit: number }): Promise<string[]> {
    return found(table, ENDED_SHARD, range);
  },
});

async function found(table: Table, partition: string, range: { upTo: string; limit: number }): Promise<string[]> {
  const { items } = await table.index("due", { partition, ...range });
  return items.map((item) => runOf(item).id);
}
