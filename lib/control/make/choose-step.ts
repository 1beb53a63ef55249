/** Which step of another run can be taken over for an instruction, on the tree as it is now. */
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import { changedWords, conflictWords, NEW_STEP, partsWords, ranWords } from "../../core/make/made-words.ts";
import { wordsOf } from "../../core/make/plan-make.ts";
import { differingParts, type StepKey, type StepReading, type StepWrite } from "../../core/make/step-record.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { maskedFiles } from "../files/masked-files.ts";
import { INHERITED } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { World } from "../world.ts";
import { isSameReading, readAgain, storedHash } from "./readings.ts";
import { baseOf } from "./record-step.ts";
import { ownHash } from "./step-key.ts";

export interface ChosenStep {
  step: InheritedStep;
  /** As they are on this tree. */
  readings: StepReading[];
  /** Of what the step changed, what it would not find as it did. */
  conflicts: StepWrite[];
  /** Empty: all that it depends on is the same. */
  why: string;
}

export type Choice = { chosen: ChosenStep } | { why: string };

/** Of the run that this one was made of. One that depends on what is there comes first; then one that only lacks the checks on what is there. */
export async function chooseStep(step: OpenStep, key: StepKey): Promise<Choice> {
  const { world, state } = step;
  const steps = await inheritedSteps(world, state.run, key);
  if (steps.length === 0) return { why: NEW_STEP };
  const judged = await Promise.all(steps.map((each) => judgeStep(step, key, each)));
  const same = judged.find(({ why }) => why === "");
  if (same) return { chosen: same };
  const isTried = ({ step: each, why }: ChosenStep): boolean =>
    why !== "" && differingParts(each.record.key, key).every((part) => part === "handover");
  const tried = state.run.make?.strict ? undefined : judged.find(isTried);
  return tried ? { chosen: tried } : { why: judged[0]?.why ?? NEW_STEP };
}

async function inheritedSteps({ files }: World, { id }: Run, key: StepKey): Promise<InheritedStep[]> {
  const at = fileStoreKeys(id).inherited(ownHash(key));
  if ((await files.get(at)) === undefined) return [];
  return (await readBody(files, { key: at }, INHERITED)).steps;
}

export async function judgeStep(opened: OpenStep, key: StepKey, step: InheritedStep): Promise<ChosenStep> {
  const { world, state } = opened;
  const { touched, readings: before, writes, key: was } = step.record;
  const files = { registry: world.registry, runId: state.run.id };
  const work = maskedFiles(state.tree.work);
  const readings: StepReading[] = [];
  for (const reading of before) readings.push(await readAgain(reading, { touched, files, work }));
  const found = await Promise.all(writes.map(({ path }) => storedHash(files, path)));
  const conflicts = writes.filter(({ was: stood }, index) => found[index] !== stood);
  const changed = before.filter((each, index) => !isSameReading(each, readings[index] ?? each)).map(wordsOf);
  const parts = differingParts(was, key);
  const why = [
    ...(parts.length > 0 ? [partsWords(parts)] : []),
    ...(changed.length > 0 ? [changedWords(changed)] : []),
    ...(conflicts.length > 0 ? [conflictWords(conflicts.map(({ path }) => path))] : []),
    ...((await sawAnother(opened, step)) ? [ranWords(step.record.ran)] : []),
  ].join("; ");
  return { step, readings, conflicts, why };
}

/** What its commands read is not known: only an equal tree shows them the same. */
async function sawAnother(step: OpenStep, { record: { ran, base } }: InheritedStep): Promise<boolean> {
  if (ran === false) return false;
  return !ran || base === undefined || base !== (await baseOf(step));
}
