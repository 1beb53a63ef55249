/** What a step was shown, what it wrote and what its checks ran on, looked at again on another tree: for steps of other runs and of lanes. */
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import { isMergedText, isOfMergedText, uncheckedTexts } from "../../core/make/made-texts.ts";
import type { StepReading, StepWrite } from "../../core/make/step-record.ts";
import { maskedFiles } from "../files/masked-files.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { isSameReading, readAgain, storedHash } from "./readings.ts";
import { baseOf } from "./record-step.ts";

export interface LookedAgain {
  /** As they are on this tree. */
  readings: StepReading[];
  /** As the step was shown them, where they are others now. */
  changed: StepReading[];
  /** Of what the step changed, what it would not find as it did. */
  conflicts: StepWrite[];
  /** It ran commands, or may have, and a file before it is another one. */
  ranOnOthers: boolean;
  /** What it wrote after it saw what is other now, and no check reads. */
  staleTexts: string[];
}

/** `isExact`: also how large the files of a list were, whatever the step wrote. */
export async function lookAgain(
  step: OpenStep,
  { record, checkedOn }: Pick<InheritedStep, "record" | "checkedOn">,
  { isExact }: { isExact: boolean },
): Promise<LookedAgain> {
  const { world, state, document } = step;
  const { notes } = document.pack.declaration;
  const { touched, readings: before, writes, ran, base = checkedOn } = record;
  const files = { registry: world.registry, runId: state.run.id };
  const work = maskedFiles(state.tree.work);
  const texts = uncheckedTexts(record, notes);
  const comparesSizes = isExact || texts.some((path) => !isMergedText(path, notes));
  const readings: StepReading[] = [];
  for (const reading of before) readings.push(await readAgain(reading, { touched, files, work }));
  const changed = before.filter((each, index) => !isSameReading(each, readings[index] ?? each, comparesSizes));
  const found = await Promise.all(writes.map(({ path }) => storedHash(files, path)));
  // What its commands and checks read is not known: only an equal tree shows them the same.
  const isOther = (ran !== false || base !== undefined) && (base === undefined || base !== (await baseOf(step)));
  const sawOther = isOther || changed.some((each) => !isOfMergedText(each, record, notes));
  return {
    readings,
    changed,
    conflicts: writes.filter(({ was }, index) => found[index] !== was),
    ranOnOthers: isOther && ran !== false,
    staleTexts: sawOther ? texts : [],
  };
}
