/** What is next for a run: the one function that reads the program counter. Pure. */

import { isAnswered } from "../program/question.ts";
import type { Run } from "../run/run.ts";
import { hasProgram, isEnded } from "../run/run.ts";

export type Advance =
  | "fetch"
  | "load"
  | "inherit"
  | "plan"
  | "revise"
  | "replace"
  | "pack"
  | "execute"
  | "save_answer"
  | "walk"
  | "judge"
  | "examine"
  | "skip"
  | "split"
  | "smoke"
  | "deliver"
  | "stop";

export function advance(
  run: Pick<
    Run,
    | "status"
    | "instructions"
    | "pc"
    | "packed"
    | "skipping"
    | "splitting"
    | "revising"
    | "replacement"
    | "git"
    | "toLoad"
    | "inheriting"
    | "toJudge"
    | "toExamine"
    | "smoke"
    | "question"
    | "answer"
    | "walk"
  >,
): Advance {
  if (isEnded(run.status) || run.status === "waiting") return "stop";
  if (run.git && run.git.commit === undefined) return "fetch";
  if (run.toLoad !== undefined) return "load";
  // The history of the run that it was forked from, program included.
  if (run.inheriting !== undefined) return "inherit";
  if (!hasProgram(run)) return "plan";
  if (run.revising) return "revise";
  // The approved program is stored before any of it is executed.
  if (run.replacement !== undefined) return "replace";
  // Instruction pc - 1 is accepted, or skipped; its pack comes before anything else may change the tree.
  if (run.packed < run.pc - 1) return "pack";
  // What it starts from is judged before anything changes it.
  if (run.toJudge) return "judge";
  // Before there is any work, what it has to do is written down as checks.
  if (run.toExamine) return "examine";
  // Its changes are taken back before anything else is computed, no matter who started it.
  if (run.skipping) return "skip";
  if (run.splitting) return "split";
  // A question without an answer has no next step: only a person has.
  if (run.question) return isAnswered(run) ? "save_answer" : "stop";
  if (run.pc <= run.instructions) return "execute";
  // What comes next depends on what was done.
  if (run.walk && !run.walk.ended) return "walk";
  return run.smoke ? "deliver" : "smoke";
}

/** What a handler answers to the state machine: ids and counters only. */
export interface HandlerAnswer {
  next: "execute" | "wait" | "deliver" | "stop";
  waitSeconds?: number;
  /** The lane whose progress ends the wait, where lanes share a process. Elsewhere the time does. */
  awaits?: number;
  /** Of a plan whose instructions are executed side by side. */
  lanes?: number;
}
