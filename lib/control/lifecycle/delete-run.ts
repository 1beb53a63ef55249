/** Deletes a run, resumably: it is marked first, and the next deletion or sweep removes what a crash left. */
import { UserError } from "../../core/errors.ts";
import { isAsleep, isEnded, type Run } from "../../core/run/run.ts";
import { compareAndSet } from "../../registry/compare-and-set.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { RunStores } from "../program/stored-program.ts";

/** `deleting`: the time was up; the sweeper goes on. */
export type DeletionResult = "deleted" | "deleting";

/** `goOn`: whether there is time left. */
export async function deleteRun(stores: RunStores, runId: string, goOn: () => boolean): Promise<DeletionResult> {
  return finishDeletion(stores, await markForDeletion(stores, runId), goOn);
}

/** Of a marked run. The run's own item is deleted last. */
export async function finishDeletion(
  { files, registry }: RunStores,
  run: Run,
  goOn: () => boolean,
): Promise<DeletionResult> {
  // A fork that was begun before goes on copying; the next sweep removes what is left.
  if (await registry.copyingFork(run.id)) return "deleting";
  const isEmpty = await files.removeAll(fileStoreKeys(run.id).root, goOn);
  return isEmpty && (await registry.removeItems(run, goOn)) ? "deleted" : "deleting";
}

const markForDeletion = ({ registry }: RunStores, runId: string): Promise<Run> =>
  compareAndSet(
    async () => {
      const run = await registry.stored(runId);
      if (!run)
        throw new UserError(`There is no run ${runId}.`, { exitCode: 2, remedy: { command: "list", args: [] } });
      if (run.deleting) return run;
      refuseComputed(run);
      return registry.beginDeletion(run);
    },
    () => new Error(`Run ${runId} keeps changing; try again.`),
  );

/** A run must not be computed while it is deleted. */
export function refuseComputed(run: Run): void {
  if (run.deleting || isEnded(run.status) || (run.status === "waiting" && !isAsleep(run))) return;
  const how = run.cancelRequested ? "stops at its next commit" : `is ${run.status}`;
  throw new UserError(
    `Run ${run.id} ${how}: only a run that is not being computed can be deleted. Nothing was deleted.`,
    {
      exitCode: 2,
      remedy: run.cancelRequested ? { command: "watch", args: [run.id] } : { command: "cancel", args: [run.id] },
    },
  );
}
