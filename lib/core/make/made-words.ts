/** What became of a step that could be taken over, in words. Pure. */

import type { Differences } from "../step/compare-step.ts";
import type { KeyPart, StepReading, StepRecord } from "../step/step-record.ts";
import { money, shortId } from "../text/format.ts";
import { costWords } from "./copied-steps.ts";
import type { MadeEvent } from "./made-event.ts";

export function madeWords({ decision, why, saved, from }: MadeEvent): string {
  if (from) return callWords({ decision, why, saved, from });
  if (decision === "executed") return `is executed: ${why}`;
  const cost = saved ? ` (it cost ${money(saved.microUsd)})` : "";
  return decision === "copied" ? `taken over without a model call${cost}` : `kept, its checks are green: ${why}${cost}`;
}

type OfCall = Pick<MadeEvent, "decision" | "why" | "saved"> & { from: NonNullable<MadeEvent["from"]> };

function callWords({ decision, why, saved, from: { run, instruction } }: OfCall): string {
  const where = `the same call in run ${shortId(run)}`;
  if (decision === "executed") return `is executed, ${where} is not copied: ${why}`;
  return `copied from ${where}, step ${instruction}${saved ? `: saves ${costWords(saved)}` : ""}`;
}

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

const partsWords = (parts: KeyPart[]): string => parts.map((part) => PART_WORDS[part]).join("; ");

export const A_PERSON_IS_ASKED = "a person is asked";
export const NEW_STEP = "no accepted step was asked the same";
export const REQUIREMENTS_CHANGED = "what it serves, or its length, changed";
export const NOT_ACCEPTED = "it was not accepted";
export const NO_KEY = "an earlier version accepted it: what it depended on is not known";
export const changedWords = (what: string[]): string => `${namedFew(what)} changed`;
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

/** Empty: all that it depends on is the same. */
export function otherWords(
  record: StepRecord,
  parts: KeyPart[],
  { changed, conflicts, ranOnOthers, staleTexts }: Differences,
): string {
  const hasOnlyChecked = staleTexts.length > 0 && changed.length === 0 && !ranOnOthers;
  return [
    ...(parts.length > 0 ? [partsWords(parts)] : []),
    ...(changed.length > 0 ? [changedWords(changed.map(wordsOf))] : []),
    ...(conflicts.length > 0 ? [conflictWords(conflicts.map(({ path }) => path))] : []),
    ...(ranOnOthers ? [record.ran === undefined ? MAY_HAVE_RAN : RAN] : []),
    ...(hasOnlyChecked ? [RAN_CHECKS] : []),
  ].join("; ");
}

/** What a lane saw or wrote, an instruction before it changed. */
export const meanwhileWords = (what: string[]): string =>
  `${namedFew(what)} ${what.length === 1 ? "was" : "were"} changed by an earlier instruction meanwhile`;

const NAMED = 3;
const namedFew = (what: string[]): string =>
  what.length <= NAMED ? what.join(", ") : `${what.slice(0, NAMED).join(", ")} and ${what.length - NAMED} more`;
