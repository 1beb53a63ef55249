/** Repairs what died silently: takes overdue runs, and starts, extends or ends them. Called every few minutes. */
import { beginLate } from "../lib/control/change-run.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { INVOCATION_MS } from "../lib/core/limits.ts";
import { isEnded, type Run } from "../lib/core/run.ts";
import { type ExecutionState, isOverdue, type SweepAction, sweepAction } from "../lib/core/sweep.ts";
import { dueAfter } from "../lib/registry/claim.ts";
import { createRecordFailure } from "./record-failure.ts";

export interface Executions {
  /** Already there is fine. */
  start(runId: string, epoch: number): Promise<void>;
  find(runId: string, epoch: number): Promise<ExecutionState>;
}

export interface Sweeping {
  world: World;
  executions: Executions;
  /** What could not be repaired this time is told and tried again next time. */
  onFailure: (runId: string, error: unknown) => void;
}

export interface Swept {
  started: number;
  extended: number;
  recorded: number;
  failed: number;
}

/** More wait for the next call. */
const RUNS_PER_CALL = 100;
/** Enough to repair one run. */
const FLOOR_MS = 10_000;

export const createSweep =
  (sweeping: Sweeping) =>
  async ({ remainingMs }: Invocation): Promise<Swept> => {
    const { registry, clock } = sweeping.world;
    const swept: Swept = { started: 0, extended: 0, recorded: 0, failed: 0 };
    const upTo = new Date(clock.now()).toISOString();
    for (const runId of await registry.overdue({ upTo, limit: RUNS_PER_CALL })) {
      if (remainingMs() < FLOOR_MS) break;
      try {
        const did = await repair(sweeping, await registry.run(runId));
        if (did) swept[COUNTED[did]] += 1;
      } catch (error) {
        swept.failed += 1;
        sweeping.onFailure(runId, error);
      }
    }
    return swept;
  };

const COUNTED: Record<SweepAction, keyof Swept> = { start: "started", extend: "extended", record: "recorded" };

async function repair(sweeping: Sweeping, run: Run | undefined): Promise<SweepAction | undefined> {
  const { world, executions } = sweeping;
  if (!run || !isOverdue(run, world.clock.now())) return undefined;
  if (run.epoch === 0) return beginFirst(sweeping, run.id);
  const action = sweepAction(await executions.find(run.id, run.epoch));
  if (action === "start") await executions.start(run.id, run.epoch);
  if (action === "record") await record(world, run);
  // Whoever moved the run on meanwhile has given it a new time already.
  else await world.registry.change(run, { dueAt: dueAfter(world.clock.now(), INVOCATION_MS) });
  return action;
}

async function beginFirst({ world, executions }: Sweeping, runId: string): Promise<SweepAction> {
  const { epoch, status } = await beginLate(world, runId);
  if (isEnded(status)) return "record";
  await executions.start(runId, epoch);
  return "start";
}

const record = (world: World, { id, epoch }: Run) =>
  createRecordFailure(world)({
    runId: id,
    epoch,
    error: "L2mac.ExecutionEnded",
    cause: "The execution that computed this run ended without recording why. What was accepted is kept.",
  });
