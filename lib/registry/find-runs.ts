/** Finding runs by the table's indexes: those of an owner, and those that are overdue. Indexes may lag. */
import type { Table } from "../core/ports.ts";
import type { Run } from "../core/run.ts";
import { runOf } from "./fence.ts";
import { ACTIVE_SHARD } from "./keys.ts";

export const createFinder = (table: Table) => ({
  async runs(range: { owner: string; cursor?: string; limit: number }): Promise<{ runs: Run[]; cursor?: string }> {
    const { owner, ...rest } = range;
    const page = await table.index("owner", { partition: owner, reverse: true, ...rest });
    const runs = page.items.map(runOf);
    return page.cursor === undefined ? { runs } : { runs, cursor: page.cursor };
  },

  /** Active runs that nobody wrote to in time, those that wait longest first. */
  async overdue(range: { upTo: string; limit: number }): Promise<string[]> {
    const { items } = await table.index("due", { partition: ACTIVE_SHARD, ...range });
    return items.map((item) => runOf(item).id);
  },
});
