/** Removes a run's items: its mark first, the run itself last, so that what a crash leaves is found again. */
import { ITEMS_PER_BATCH } from "../core/limits.ts";
import type { Table } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter } from "./claim.ts";
import { change } from "./epoch.ts";
import { DELETING_SHARD, metaKey, runKey } from "./keys.ts";

/** From here on nobody else sees the run, and whoever still computes it is fenced. Undefined where it moved on meanwhile. */
export const beginDeletion = (asked: {
  table: Table;
  now: number;
  notifies: boolean;
  run: Run;
}): Promise<Run | undefined> =>
  change({
    ...asked,
    patch: {
      epoch: asked.run.epoch + 1,
      deleting: true,
      activeShard: DELETING_SHARD,
      dueAt: dueAfter(asked.now, 0),
    },
    events: [],
  });

/** Answers whether nothing is left. */
export async function removeItems(asked: { table: Table; run: Run; goOn: () => boolean }): Promise<boolean> {
  const { table, run, goOn } = asked;
  const pk = runKey(run.id);
  const meta = metaKey(run.id);
  for (;;) {
    const items = await table.query(pk, { prefix: "", limit: ITEMS_PER_BATCH });
    const others = items.filter(({ sk }) => sk !== meta.sk);
    if (others.length === 0) break;
    if (!goOn()) return false;
    await table.transact(others.map(({ sk }) => ({ delete: { pk, sk } })));
  }
  await removeMark(table, run);
  await table.transact([{ delete: meta }]);
  return true;
}

/** The same key may have made another run meanwhile: then the mark is that run's. */
async function removeMark(table: Table, { id, submittedBy }: Run): Promise<void> {
  if (submittedBy === undefined) return;
  await table.transact([{ delete: { pk: submittedBy, sk: "META" }, when: [{ attribute: "runId", is: id }] }]);
}
