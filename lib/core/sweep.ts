/** What the sweeper does with a run that is overdue: nobody wrote to it for longer than an invocation lasts. Pure. */
import { isEnded, type Run } from "./run.ts";

/** The execution that should compute the run's present epoch. */
export type ExecutionState = "running" | "ended" | "absent";

export type SweepAction = "start" | "extend" | "record";

/** Indexes lag: this is asked of the run as the registry has it now. */
export const isOverdue = (run: Pick<Run, "status" | "dueAt"> | undefined, now: number): boolean =>
  run?.dueAt !== undefined && !isEnded(run.status) && Date.parse(run.dueAt) <= now;

const BY_STATE: Record<ExecutionState, SweepAction> = {
  // The epoch began, and whoever should have started its execution died before.
  absent: "start",
  // Throttled for hours, or between two states: the execution itself ends or fails.
  running: "extend",
  // It ended where nothing could record it: stopped by hand, or beyond a limit that no state can catch.
  ended: "record",
};

export const sweepAction = (state: ExecutionState): SweepAction => BY_STATE[state];
