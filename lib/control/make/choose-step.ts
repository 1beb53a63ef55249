/** Which step of another run can be taken over for an instruction, on the tree as it is now. */
import { NEW_STEP } from "../../core/make/made-words.ts";
import type { Run } from "../../core/run/run.ts";
import { inOneLine, reasonsOf, staleWords } from "../../core/step/reasons.ts";
import type { Step } from "../../core/step/step.ts";
import { differingParts, type StepKey } from "../../core/step/step-record.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { type LookedAgain, lookAgain } from "../adopt/look-again.ts";
import { INHERITED } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { World } from "../world.ts";
import { ownHash } from "./step-key.ts";

export interface ChosenStep extends Pick<LookedAgain, "readings" | "conflicts" | "staleTexts"> {
  step: Step;
  /** Why it would be another one here. Empty: all that it depends on is the same. */
  reasons: string[];
}

export type Choice = { chosen: ChosenStep } | { why: string };

/** Of the run that this one was made of. One that depends on what is there comes first; then one that only lacks the checks on what is there. */
export async function chooseStep(step: OpenStep, key: StepKey): Promise<Choice> {
  const { world, state } = step;
  const then = await world.recorded?.takingAt(state.number);
  if (then && "why" in then) return then;
  const steps = await inheritedSteps(world, state.run, key);
  if (steps.length === 0) return { why: NEW_STEP };
  const judged = await Promise.all(steps.map((each) => judgeStep(step, key, each)));
  const same = judged.find(({ reasons }) => reasons.length === 0);
  if (same) return { chosen: same };
  const isTried = ({ step: each }: ChosenStep): boolean =>
    differingParts(each.record.key, key).every((part) => part === "handover");
  const tried = state.run.make?.strict ? [] : judged.filter(isTried);
  const kept = tried.find(({ staleTexts }) => staleTexts.length === 0 || then !== undefined);
  if (kept) return { chosen: kept };
  const [{ reasons, staleTexts } = { reasons: [NEW_STEP], staleTexts: [] }] = [...tried, ...judged];
  const why = inOneLine(reasons);
  return { why: tried.length > 0 ? `${why}, and ${staleWords(staleTexts)}` : why };
}

async function inheritedSteps({ files }: World, { id }: Run, key: StepKey): Promise<Step[]> {
  const at = fileStoreKeys(id).inherited(ownHash(key));
  if ((await files.get(at)) === undefined) return [];
  return (await readBody(files, { key: at }, INHERITED)).steps;
}

export async function judgeStep(opened: OpenStep, key: StepKey, step: Step): Promise<ChosenStep> {
  const again = await lookAgain(opened, step, { isExact: false });
  const { readings, conflicts, staleTexts } = again;
  const reasons = reasonsOf(step.record, differingParts(step.record.key, key), again);
  return { step, readings, conflicts, staleTexts, reasons };
}
