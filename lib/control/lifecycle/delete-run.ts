/** Removes all of a run, resumably: it is marked first, and what is left of a crash the next deletion or sweep removes. */
import { UserError } from "../../core/errors.ts";
import { isAsleep, isEnded, type Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { World } from "../world.ts";

/** `deleting`: the time was over; the sweeper goes on. */
export type Deleted = "deleted" | "deleting";

type Place = Pick<World, "registry" | "files">;

/** `goOn`: whether there is time for some more. */
export async function deleteRun(place: Place, runId: string, goOn: () => boolean): Promise<Deleted> {
  return finishDeletion(place, await marked(place, runId), goOn);
}

/** Of a run that is marked. The run's own item goes last. */
export async function finishDeletion({ files, registry }: Place, run: Run, goOn: () => boolean): Promise<Deleted> {
  const isEmpty = await files.removeAll(fileStoreKeys(run.id).root, goOn);
  return isEmpty && (await registry.removeItems(run, goOn)) ? "deleted" : "deleting";
}

const TRIES = 5;

async function marked({ registry }: Place, runId: string): Promise<Run> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const run = await registry.stored(runId);
    if (!run) throw new UserError(`There is no run ${runId}.`, { exitCode: 2, remedy: { command: "list", args: [] } });
    if (run.deleting) return run;
    refuseComputed(run);
    const begun = await registry.beginDeletion(run);
    if (begun) return begun;
  }
  throw new Error(`Run ${runId} keeps changing; try again.`);
}

/** Whoever computes it must have stopped before anything of it goes. */
export function refuseComputed(run: Run): void {
  if (run.deleting || isEnded(run.status) || (run.status === "waiting" && !isAsleep(run))) return;
  const how = run.cancelRequested ? "stops at its next commit" : `is ${run.status}`;
  throw new UserError(`Run ${run.id} ${how}: only a run that nobody computes can be deleted. Nothing was deleted.`, {
    exitCode: 2,
    remedy: run.cancelRequested ? { command: "watch", args: [run.id] } : { command: "cancel", args: [run.id] },
  });
}
