/** The message beside the buttons after an action, and when it is out of date. Pure. */
import type { Run } from "../../lib/core/run/run.ts";
import { isWorking } from "./run-summary.ts";

type RunState = Pick<Run, "status" | "updatedAt">;

export interface Notice {
  text: string;
  /** The action failed; `lost`: without an answer from the server. */
  problem?: "refused" | "lost";
  /** The run when the button was pressed. */
  before: RunState;
}

/** A refusal holds until the status changes, a lost answer until there is news, a success while the run works. */
export function isOutdated({ problem, before }: Notice, run: RunState): boolean {
  if (problem === "refused") return run.status !== before.status;
  const hasNews = run.updatedAt !== before.updatedAt;
  return problem === "lost" ? hasNews : hasNews && !isWorking(run);
}
