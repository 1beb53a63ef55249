/** Deletes runs of this computer that are not being computed. Works on a full disk too: that is when users delete. */
import { type DeletionResult, deleteRun, finishDeletion, refuseComputed } from "../control/lifecycle/delete-run.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run/run.ts";
import type { RunLeases } from "../host/run-leases.ts";
import { isFull } from "../host/storage-errors.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { onceFree } from "./change-run.ts";
import { interruptRun, isUnderWay, RUNS_AT_ONCE } from "./recover-runs.ts";

const always = (): boolean => true;
/** Whether a process still removes it says its lock, and not how long ago it began. */
const ANY_TIME = "9999";

export interface DeletionParts {
  world: World;
  leases: RunLeases;
  isAlone: boolean;
  /** Throws away what was only laid out for the run. */
  forget?: ((runId: string) => Promise<void>) | undefined;
}

export function createRunDeletion({ world, leases, isAlone, forget = async () => {} }: DeletionParts) {
  const { registry, files } = world;
  /** Died, and there was no room to note that. */
  const isUnnoted = (run: Run): boolean => isAlone && isUnderWay(run) && !leases.isHeld(run.id);
  const removeGripped = async (runId: string, isDead: boolean): Promise<DeletionResult> => {
    if (isDead) await interruptRun(world, runId);
    const deleted = await deleteRun(world, runId, always);
    await forget(runId);
    return deleted;
  };
  return {
    async remove(runId: string): Promise<DeletionResult> {
      const run = await registry.stored(runId);
      const isDead = run !== undefined && isUnnoted(run);
      if (run && !isDead) refuseComputed(run);
      const remove = async (): Promise<DeletionResult> => {
        try {
          return await removeGripped(runId, isDead);
        } catch (error) {
          if (!isFull(error)) throw error;
          // There is no room for the mark that goes first elsewhere: its files make some.
          await forget(runId);
          if (!(await registry.copyingFork(runId))) await files.removeAll(fileStoreKeys(runId).root, always);
          return removeGripped(runId, isDead).catch((still: unknown) => {
            throw isFull(still) ? stillFull(runId, still) : still;
          });
        }
      };
      return onceFree(world.clock, runId, () => leases.whileDeleting(runId, remove));
    },
    async finish(): Promise<void> {
      for (const id of await registry.halfDeleted({ upTo: ANY_TIME, limit: RUNS_AT_ONCE })) {
        await leases.whileDeleting(id, async () => {
          const run = await registry.stored(id);
          if (run?.deleting) await finishDeletion(world, run, always);
          await forget(id);
        });
      }
    },
  };
}

const stillFull = (runId: string, cause: unknown): UserError =>
  new UserError(`The files of run ${runId} are removed, but its record is not: the disk is full all the same.`, {
    exitCode: 6,
    remedy: {
      command: "delete",
      args: [runId, "--yes"],
      note: "if it is still listed once there is some space on that disk",
    },
    cause,
  });
