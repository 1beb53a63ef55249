/** The fence: every write of a computation is conditional on the epoch and attempt that makes it. */
import { Cancelled, Fenced } from "../core/errors.ts";
import type { Condition, Table } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { metaKey } from "./keys.ts";
import { readLane } from "./lanes/lane-record.ts";
import { withPool } from "./lanes/pool.ts";
import { runOf } from "./parse-run.ts";

export interface Fence {
  runId: string;
  epoch: number;
  attempt: number;
  lane?: number | undefined;
}

export const fenceOf = ({ id: runId, epoch, attempt, lane }: Run): Fence => ({ runId, epoch, attempt, lane });

export const fenced = ({ epoch, attempt }: Fence): Condition[] => [
  { attribute: "epoch", is: epoch },
  { attribute: "attempt", is: attempt },
];

export const notCancelled: Condition = { attribute: "cancelRequested", missing: true };

/** A run that is being deleted is hidden. */
export async function readRun(table: Table, runId: string): Promise<Run | undefined> {
  const run = await readStored(table, runId);
  return run?.deleting ? undefined : run;
}

/** Includes a run that is being deleted. */
export async function readStored(table: Table, runId: string): Promise<Run | undefined> {
  const item = await table.get(metaKey(runId));
  return item && withPool(table, runOf(item));
}

/** After a refused write: throws Fenced or Cancelled, or answers the current run if the fence still holds. */
export async function throwIfFenced(table: Table, fence: Fence, evenIfCancelled = false): Promise<Run> {
  const whole = await readRun(table, fence.runId);
  const run = whole && fence.lane !== undefined ? await readLane(table, whole, fence.lane) : whole;
  if (!run || (whole && whole.epoch !== fence.epoch)) throw new Fenced(`Run ${fence.runId} is gone, or moved on.`);
  if (run.epoch !== fence.epoch || run.attempt !== fence.attempt) {
    throw new Fenced(`Run ${run.id} belongs to epoch ${run.epoch}, attempt ${run.attempt} now.`);
  }
  if (run.cancelRequested && !evenIfCancelled) throw new Cancelled(`Run ${run.id} was cancelled.`);
  return run;
}
