/** The fence: every write of a computation is conditional on the epoch and attempt that makes it. */
import { Cancelled, Fenced } from "../core/errors.ts";
import type { Condition, Item, Table } from "../core/ports.ts";
import { Run } from "../core/run.ts";
import { metaKey } from "./keys.ts";

export interface Fence {
  runId: string;
  epoch: number;
  attempt: number;
}

export const fenceOf = (run: Run): Fence => ({ runId: run.id, epoch: run.epoch, attempt: run.attempt });

export const fenced = ({ epoch, attempt }: Fence): Condition[] => [
  { attribute: "epoch", is: epoch },
  { attribute: "attempt", is: attempt },
];

export const notCancelled: Condition = { attribute: "cancelRequested", missing: true };

export function runOf(item: Item): Run {
  const { pk: _pk, sk: _sk, ...attributes } = item;
  return Run.parse(attributes);
}

/** A run that is being removed is not there. */
export async function readRun(table: Table, runId: string): Promise<Run | undefined> {
  const run = await readStored(table, runId);
  return run?.deleting ? undefined : run;
}

/** Also one that is being removed. */
export async function readStored(table: Table, runId: string): Promise<Run | undefined> {
  const item = await table.get(metaKey(runId));
  return item && runOf(item);
}

/** A fenced write was refused: says why by throwing, or answers the run as it stands if the fence still holds. */
export async function whyRefused(table: Table, fence: Fence, evenIfCancelled = false): Promise<Run> {
  const run = await readRun(table, fence.runId);
  if (!run) throw new Fenced(`Run ${fence.runId} is gone.`);
  if (run.epoch !== fence.epoch || run.attempt !== fence.attempt) {
    throw new Fenced(`Run ${run.id} belongs to epoch ${run.epoch}, attempt ${run.attempt} now.`);
  }
  if (run.cancelRequested && !evenIfCancelled) throw new Cancelled(`Run ${run.id} was cancelled.`);
  return run;
}
