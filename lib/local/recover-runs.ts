/** Marks runs of this computer whose process died as interrupted, before anything else is done. */
import type { interrupt } from "../control/lifecycle/resume-and-cancel.ts";
import type { World } from "../control/world.ts";
import { isAsleep, isEnded, type Run } from "../core/run/run.ts";
import { isFull } from "../host/storage-errors.ts";

/** `no room`: the disk is full, so that not all could be noted. */
export type SweepResult = "swept" | "no room";

export const RUNS_AT_ONCE = 200;

/** Runs each task; one that finds the disk full does not stop the others. */
export async function withRoom(works: (() => Promise<void>)[]): Promise<SweepResult> {
  let result: SweepResult = "swept";
  for (const work of works) {
    await work().catch((error: unknown) => {
      if (!isFull(error)) throw error;
      result = "no room";
    });
  }
  return result;
}

export async function sweepRuns(
  world: World,
  { owner, isAlive }: { owner: string; isAlive: (runId: string) => boolean },
): Promise<void> {
  const { runs } = await world.registry.runs({ owner, limit: RUNS_AT_ONCE });
  for (const run of runs) if (isUnderWay(run) && !isAlive(run.id)) await interruptRun(world, run.id);
}

/** Late: hardly any run is found dead. */
export const interruptRun: typeof interrupt = async (...interrupted) =>
  (await import("../control/lifecycle/resume-and-cancel.ts")).interrupt(...interrupted);

/** In computation, or asleep in it until a server takes calls again; or still to be ended by a process that died before. */
export const isUnderWay = (run: Run): boolean =>
  run.status === "waiting" ? isAsleep(run) || run.cancelRequested === true : !isEnded(run.status);
