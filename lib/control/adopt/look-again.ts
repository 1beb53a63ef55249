/** What a step was shown, what it wrote and what its checks ran on, looked at again on another tree: for steps of other runs and of lanes. */
import { compareStep, type Differences } from "../../core/step/compare-step.ts";
import { isMergedText, uncheckedTexts } from "../../core/step/merged-text.ts";
import type { Step } from "../../core/step/step.ts";
import type { StepReading } from "../../core/step/step-record.ts";
import { maskedFiles } from "../files/masked-files.ts";
import { isSameReading, readAgain, storedHash } from "../make/readings.ts";
import { baseOf } from "../make/record-step.ts";
import type { OpenStep } from "../turn/open-step.ts";

export interface LookedAgain extends Differences {
  /** As they are on this tree. */
  readings: StepReading[];
}

/** `isExact`: also how large the files of a list were, whatever the step wrote. */
export async function lookAgain(
  step: OpenStep,
  { record, checkedOn }: Pick<Step, "record" | "checkedOn">,
  { isExact }: { isExact: boolean },
): Promise<LookedAgain> {
  const { world, state, document } = step;
  const { notes } = document.pack.declaration;
  const { touched, writes, base = checkedOn } = record;
  const files = { registry: world.registry, runId: state.run.id };
  const work = maskedFiles(state.tree.work);
  const texts = uncheckedTexts(record, notes);
  const comparesSizes = isExact || texts.some((path) => !isMergedText(path, notes));
  const readings: StepReading[] = [];
  for (const reading of record.readings) readings.push(await readAgain(reading, { touched, files, work }));
  const found = await Promise.all(writes.map(({ path }) => storedHash(files, path)));
  const differences = compareStep(base === undefined ? record : { ...record, base }, {
    isChanged: (each, index) => !isSameReading(each, readings[index] ?? each, comparesSizes),
    isConflict: ({ was }, index) => found[index] !== was,
    isSame: base !== undefined && base === (await baseOf(step)),
    notes,
  });
  return { readings, ...differences };
}
