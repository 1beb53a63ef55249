/** Removes a run's items: its mark first, the run itself last, so that what a crash leaves is found again. */
import { ITEMS_PER_BATCH } from "../core/limits.ts";
import type { Item, ItemKey, Table } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { change } from "./change.ts";
import { dueAfter } from "./claim.ts";
import { DELETING_SHARD, forkKey, metaKey, runKey } from "./keys.ts";
import type { WriteContext } from "./write-run.ts";

/** From here on the run is hidden, and attempts that still compute it are fenced. Undefined: it changed meanwhile. */
export const beginDeletion = (context: WriteContext, run: Run): Promise<Run | undefined> =>
  change(context, run, {
    patch: { epoch: run.epoch + 1, deleting: true, activeShard: DELETING_SHARD, dueAt: dueAfter(context.now, 0) },
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
    const beside = others.flatMap(besideOf);
    if (beside.length > 0) await table.transact(beside.map((key) => ({ delete: key })));
    await table.transact(others.map(({ sk }) => ({ delete: { pk, sk } })));
  }
  await removeMark(table, run);
  if (run.forkedFrom) await table.transact([{ delete: forkKey(run.forkedFrom.run, run.id) }]);
  await table.transact([{ delete: meta }]);
  return true;
}

/** What an earlier version kept outside, so that other runs found a call of this one. */
const besideOf = ({ memo, memoSk }: Item): ItemKey[] =>
  typeof memo === "string" && typeof memoSk === "string" ? [{ pk: memo, sk: memoSk }] : [];

/** The same key may have created another run meanwhile: then the mark belongs to that run. */
async function removeMark(table: Table, { id, submittedBy }: Run): Promise<void> {
  if (submittedBy === undefined) return;
  await table.transact([{ delete: { pk: submittedBy, sk: "META" }, when: [{ attribute: "runId", is: id }] }]);
}
