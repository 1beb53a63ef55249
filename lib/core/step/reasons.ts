/** Why a finished step would be another one on another tree, in words. Pure. */
import type { Differences } from "./compare-step.ts";
import type { KeyPart, StepReading, StepRecord } from "./step-record.ts";

const PART_WORDS: Record<KeyPart, string> = {
  instruction: "its text changed",
  requirements: "its requirements changed",
  words: "its length changed",
  task: "the task changed beside its requirements",
  prompts: "the prompts changed",
  tools: "the tools changed",
  model: "another model is asked",
  handover: "the hand-over of the step before it changed",
};

const changedWords = (what: string[]): string => `${namedFew(what)} changed`;
export const staleWords = (paths: string[]): string => `no check reads what it wrote to ${namedFew(paths)}`;
const RAN = "it ran commands, and the files before it changed";
const MAY_HAVE_RAN = "it may have run commands, and what they saw is not known";
const RAN_CHECKS = "it ran checks, and the files before it changed";
export const conflictWords = (paths: string[]): string =>
  `it changed ${namedFew(paths)}, and what it found there changed`;

/** For a person: `src/a.py`, `the list of src/`, `the search for "x"`. */
export function wordsOf(reading: StepReading): string {
  if (reading.kind === "file") return reading.path;
  if (reading.kind === "list") return reading.prefix ? `the list of ${reading.prefix}` : "the list of files";
  return `the search for ${JSON.stringify(reading.pattern)}`;
}

/** Why a step would not be what it was. Empty: all that it depends on is the same. */
export function reasonsOf(
  record: StepRecord,
  parts: KeyPart[],
  { changed, conflicts, ranOnOthers, staleTexts }: Differences,
): string[] {
  const hasOnlyChecked = staleTexts.length > 0 && changed.length === 0 && !ranOnOthers;
  return [
    ...parts.map((part) => PART_WORDS[part]),
    ...(changed.length > 0 ? [changedWords(changed.map(wordsOf))] : []),
    ...(conflicts.length > 0 ? [conflictWords(conflicts.map(({ path }) => path))] : []),
    ...(ranOnOthers ? [record.ran === undefined ? MAY_HAVE_RAN : RAN] : []),
    ...(hasOnlyChecked ? [RAN_CHECKS] : []),
  ];
}

export const inOneLine = (reasons: string[]): string => reasons.join("; ");

/** What a lane saw or wrote, an instruction before it changed. */
export const meanwhileWords = (what: string[]): string =>
  `${namedFew(what)} ${what.length === 1 ? "was" : "were"} changed by an earlier instruction meanwhile`;

const NAMED = 3;
const namedFew = (what: string[]): string =>
  what.length <= NAMED ? what.join(", ") : `${what.slice(0, NAMED).join(", ")} and ${what.length - NAMED} more`;
