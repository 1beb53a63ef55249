/** The fence: every write of a computation is conditional on the epoch and attempt that makes it. */
import { Cancelled, Fenced, Unreadable } from "../core/errors.ts";
import type { Attributes, Condition, Item, Table } from "../core/ports.ts";
import { Run } from "../core/run/run.ts";
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

/** What this version writes, and reads. */
const FORMAT = 1;

const OTHER_RUNS = { command: "list", args: [] };

export const isReadable = (item: Item): boolean => Run.safeParse(attributesOf(item)).success;

export function runOf(item: Item): Run {
  const parsed = Run.safeParse(attributesOf(item));
  if (parsed.success) return parsed.data;
  const { id, format, owner } = item;
  const of = typeof owner === "string" ? { owner } : {};
  if (format !== FORMAT) {
    throw new Unreadable(
      `Run ${id} is of format ${JSON.stringify(format ?? null)}, which another version of this program wrote; this one reads format ${FORMAT}. It is left as it is.`,
      { ...of, remedy: { ...OTHER_RUNS, note: "shows the other runs; use the version that wrote this one" } },
    );
  }
  const [issue] = parsed.error.issues;
  if (isOfNewerVersion(issue)) {
    throw new Unreadable(
      `Run ${id} has a ${issue?.path.join(".")} that a newer version of this program wrote. It is left as it is.`,
      { ...of, remedy: { ...OTHER_RUNS, note: "shows the other runs; use the version that wrote this one" } },
    );
  }
  throw new Unreadable(
    `The record of run ${id} is damaged: ${[...(issue?.path ?? []), issue?.message].join(": ")}. It is left as it is.`,
    { ...of, remedy: { ...OTHER_RUNS, note: "shows the other runs" } },
  );
}

/** A word that this version does not know, where everything before it is as it should be. */
export const isOfNewerVersion = (issue: { code: string } | undefined): boolean => issue?.code === "invalid_value";

function attributesOf({ pk: _pk, sk: _sk, ...attributes }: Item): Attributes {
  return attributes;
}

/** A run that is being deleted is hidden. */
export async function readRun(table: Table, runId: string): Promise<Run | undefined> {
  const run = await readStored(table, runId);
  return run?.deleting ? undefined : run;
}

/** Includes a run that is being deleted. */
export async function readStored(table: Table, runId: string): Promise<Run | undefined> {
  const item = await table.get(metaKey(runId));
  return item && runOf(item);
}

/** After a refused write: throws Fenced or Cancelled, or answers the current run if the fence still holds. */
export async function throwIfFenced(table: Table, fence: Fence, evenIfCancelled = false): Promise<Run> {
  const run = await readRun(table, fence.runId);
  if (!run) throw new Fenced(`Run ${fence.runId} is gone.`);
  if (run.epoch !== fence.epoch || run.attempt !== fence.attempt) {
    throw new Fenced(`Run ${run.id} belongs to epoch ${run.epoch}, attempt ${run.attempt} now.`);
  }
  if (run.cancelRequested && !evenIfCancelled) throw new Cancelled(`Run ${run.id} was cancelled.`);
  return run;
}
