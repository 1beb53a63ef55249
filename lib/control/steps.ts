/** What comes next for a run, and what does it: a new kind of step is a row here and a case of `advance`. */
import type { Advance } from "../core/program/advance.ts";
import type { Run } from "../core/run/run.ts";
import { judgeStart } from "./gate/baseline.ts";
import { checkDelivery } from "./gate/clean-room-check.ts";
import { storeReplacement } from "./program/planning.ts";
import type { StepHandler } from "./step-result.ts";
import { doInstruction } from "./steps/do-instruction.ts";
import { examineRequirements } from "./steps/examine-requirements.ts";
import { fetchStart } from "./steps/fetch-start.ts";
import { inheritHistory } from "./steps/inherit-history.ts";
import { loadTree } from "./steps/load-tree.ts";
import { packAccepted } from "./steps/pack-accepted.ts";
import { planProgram } from "./steps/plan-program.ts";
import { reviseProgram } from "./steps/revise-program.ts";
import { saveAnswer } from "./steps/save-answer.ts";
import { skipInstruction } from "./steps/skip-instruction.ts";
import { splitInstruction } from "./steps/split-instruction.ts";
import { walkProgram } from "./steps/walk-program.ts";
import type { World } from "./world.ts";

/** A step that always ends in this invocation. */
const always =
  (step: (world: World, run: Run) => Promise<Run>): StepHandler =>
  async (world, run) => ({ kind: "done", run: await step(world, run) });

type Steps = Partial<Record<Advance, StepHandler>>;

export const PLAN_STEPS: Steps = {
  fetch: fetchStart,
  load: loadTree,
  inherit: inheritHistory,
  plan: planProgram,
  revise: reviseProgram,
  replace: always(storeReplacement),
};

export const EXECUTE_STEPS: Steps = {
  pack: always(packAccepted),
  judge: judgeStart,
  examine: examineRequirements,
  execute: doInstruction,
  save_answer: always(saveAnswer),
  walk: walkProgram,
  skip: always(skipInstruction),
  split: splitInstruction,
  replace: always(storeReplacement),
  smoke: checkDelivery,
};
