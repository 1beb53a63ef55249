/** What the sweeper does with a run that is overdue: no write came for longer than an invocation lasts. Pure. */
import { isEnded, type Run } from "./run.ts";

/** The execution that should compute the run's present epoch. `ended`: in good order, because it was asked to stop. */
export type ExecutionState = "running" | "ended" | "failed" | "absent";

export type SweepAction = "start" | "extend" | "renew" | "record";

/** Indexes lag: this is asked of the run as the registry has it now. */
export const isOverdue = (run: Pick<Run, "status" | "dueAt"> | undefined, now: number): boolean =>
  run?.dueAt !== undefined && !isEnded(run.status) && Date.parse(run.dueAt) <= now;

const BY_STATE: Record<ExecutionState, SweepAction> = {
  // The epoch began, and the process that should have started its execution died before.
  absent: "start",
  // Throttled for hours, or between two states: the execution itself ends or fails.
  running: "extend",
  // Its answer came from an attempt that was fenced, while the other one, delivered twice or late, went on alone.
  ended: "renew",
  // It ended where nothing could record it: stopped by hand, or beyond a limit that no state can catch.
  failed: "record",
};

/** Epochs that are begun for a run without an answer in between: nothing goes on for ever. */
export const RENEWALS = 3;

export function sweepAction(state: ExecutionState, { renewals = 0 }: Pick<Run, "renewals"> = {}): SweepAction {
  const action = BY_STATE[state];
  return action === "renew" && renewals >= RENEWALS ? "record" : action;
}
