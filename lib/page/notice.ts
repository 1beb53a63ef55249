/** What is said beside the buttons after one was pressed, and until when it is true. Pure. */
import type { Run } from "../core/run/run.ts";
import { isWorking } from "./head-words.ts";

type Known = Pick<Run, "status" | "updatedAt">;

export interface Notice {
  says: string;
  /** Nothing came of it; `lost`: since nobody answered. */
  problem?: "refused" | "lost";
  /** The run as it was when the button was pressed. */
  before: Known;
}

/** What was done is true as long as the run computes on; what was refused, until it stands otherwise; what was lost, until there is news. */
export function isOver({ problem, before }: Notice, run: Known): boolean {
  if (problem === "refused") return run.status !== before.status;
  const hasNews = run.updatedAt !== before.updatedAt;
  return problem === "lost" ? hasNews : hasNews && !isWorking(run);
}
