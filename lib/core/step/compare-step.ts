/** How a tree differs from the one on which a step was executed, as far as it matters to the step. Pure. */
import { isOfMergedText, uncheckedTexts } from "./merged-text.ts";
import type { StepReading, StepRecord, StepWrite } from "./step-record.ts";

export interface FoundTree {
  /** Whether the step would be shown something else. */
  isChanged: (reading: StepReading, index: number) => boolean;
  /** Whether the step would find something else where it wrote. */
  isConflict: (write: StepWrite, index: number) => boolean;
  /** The whole tree is the one that the step found. */
  isSame: boolean;
  /** The path of the project's notes. */
  notes: string | undefined;
}

export interface Differences {
  changed: StepReading[];
  conflicts: StepWrite[];
  /** The step ran commands, or may have, and the tree is another one. */
  ranOnOthers: boolean;
  /** What the step wrote after it saw what is other now, and no check reads. */
  staleTexts: string[];
}

export function compareStep(record: StepRecord, { isChanged, isConflict, isSame, notes }: FoundTree): Differences {
  const { readings, writes, ran, base } = record;
  const changed = readings.filter(isChanged);
  // What its commands and checks read is not known: only an equal tree shows them the same.
  const isOther = (ran !== false || base !== undefined) && !isSame;
  const sawOther = isOther || changed.some((each) => !isOfMergedText(each, record, notes));
  return {
    changed,
    conflicts: writes.filter(isConflict),
    ranOnOthers: isOther && ran !== false,
    staleTexts: sawOther ? uncheckedTexts(record, notes) : [],
  };
}
