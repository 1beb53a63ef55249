/** What evidence has to do with the acceptance of an instruction, and what the model reads of it. Pure. */
import {
  checkText,
  type Evidence,
  evidenceName,
  gradeNow,
  isProof,
  OF_EXAMINER,
  type Outcome,
  wasProof,
} from "./evidence.ts";
import { standingOf } from "./latest.ts";
import { NO_CHECK } from "./standing.ts";

export interface ExecutedEvidence {
  evidence: Evidence;
  outcome: Outcome;
}

/** `isTooWeak`: the work passes the check of the examiner, which shows too little. */
export interface OpenAtGate {
  requirement: string;
  why: string;
  isTooWeak?: boolean;
}

export interface EvidenceFindings {
  /** Proven before, and red on the tree that is offered. */
  red: ExecutedEvidence[];
  /** Requirements without evidence of a grade that proves: of the instruction, and whose check it changed. */
  unproven: OpenAtGate[];
  /** All that was executed on the tree that is offered. */
  executed: ExecutedEvidence[];
  /** By name: what took the place of red evidence. */
  replaced: { evidence: Evidence; by: number }[];
  /** All evidence, as it counts on that tree. */
  evidence: Evidence[];
  /** Names that tree, where something was executed on it. */
  tree?: string | undefined;
  /** Checks of the examiner that the work meets now: what is new of them. */
  met: { evidence: Evidence; set: MetCheck }[];
  /** The run has an examiner. */
  isExamined?: boolean;
}

/** What a check of the examiner shows once it is green. */
export type MetCheck = Pick<
  Evidence,
  "grade" | "needed" | "reason" | "noStubs" | "stubs" | "mutants" | "work" | "metIn" | "again"
>;

/**
 * Red evidence is replaced by a later one of this instruction for the same requirement, if that proves no less. A check
 * of the examiner is not.
 */
export function replacementOf(red: Evidence, all: Evidence[], instruction: number) {
  if (red.instruction === OF_EXAMINER) return undefined;
  return standingOf(all).findLast(
    (each) =>
      each.requirement === red.requirement &&
      each.n > red.n &&
      each.instruction === instruction &&
      !(red.independent && !each.independent) &&
      gradeNow(each) >= red.grade &&
      (isProof(each) || !wasProof(red)),
  );
}

export function evidenceText({
  red,
  unproven,
  isExamined = false,
}: Pick<EvidenceFindings, "red" | "unproven" | "isExamined">): string {
  return [
    ...(red.length > 0 ? [redText(red, isExamined)] : []),
    ...(unproven.length > 0 ? [unprovenText(unproven, isExamined)] : []),
  ].join("\n\n");
}

const SHOWN = 5;
const OUTPUT_CHARS = 800;

function redText(red: ExecutedEvidence[], isExamined: boolean): string {
  const shown = red.slice(0, SHOWN).map(({ evidence, outcome }) => {
    const { requirement, check, metIn = evidence.instruction } = evidence;
    const when = metIn === OF_EXAMINER ? "proven before" : `proven in instruction ${metIn}`;
    const output = outcome.output === "" ? "" : `\n${outcome.output.slice(0, OUTPUT_CHARS)}`;
    return `- ${requirement}, by ${checkText(check)} (${evidenceName(evidence)}, ${when}): ${outcome.detail}${output}`;
  });
  const more = red.length - shown.length;
  return [
    "Requirements that were proven are broken on this tree:",
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
    isExamined ? REPAIR_EXAMINED : REPAIR,
  ].join("\n");
}

const REPAIR =
  "Repair it. Only where the task demands another behaviour now, prove the requirement again with a new check: it takes the place of the old one.";
const REPAIR_EXAMINED =
  "Repair it. No other check takes the place of what the examiner wrote. Only where it contradicts the task, call amend_test with the reason: it proves nothing then.";

const PROVE_THEM =
  "Call prove for each, with a test or a command that fails without the implementation, then complete_instruction. What cannot be proven here: say why in `summary` and offer the instruction again.";
const MEET_THEM =
  "The checks were written by the examiner and are locked. Change the code until they pass; run_checks with their paths shows more. Only where one contradicts the task, call amend_test with the reason: it proves nothing then. What cannot be met here: say why in `summary` and offer the instruction again.";

const TOO_WEAK =
  "Those of which it says `too weak` are not yours to mend: the work passes the check of the examiner, which is locked and shows too little.";

const NO_CHECKS =
  "Where the examiner wrote no check, only a test that the user gave can prove the requirement. If there is none, say so in `summary` and offer the instruction again.";

function unprovenText(unproven: EvidenceFindings["unproven"], isExamined: boolean): string {
  const isUnchecked = ({ why }: OpenAtGate): boolean => isExamined && why === NO_CHECK;
  const isAlone = (each: OpenAtGate): boolean => isUnchecked(each) || each.isTooWeak === true;
  return [
    "This instruction leaves requirements that no evidence proves:",
    ...unproven.slice(0, 20).map(openLine),
    ...(unproven.every(isAlone) ? [] : [isExamined ? MEET_THEM : PROVE_THEM]),
    ...(unproven.some((each) => each.isTooWeak) ? [TOO_WEAK] : []),
    ...(unproven.some(isUnchecked) ? [NO_CHECKS] : []),
  ].join("\n");
}

const openLine = ({ requirement, why, isTooWeak }: OpenAtGate): string =>
  `- ${requirement}: ${isTooWeak ? "too weak: " : ""}${why}`;

/** For watchers. */
export const evidencePlace = ({ red, unproven }: Pick<EvidenceFindings, "red" | "unproven">): string => {
  const [first] = red;
  if (first) return `${evidenceName(first.evidence)} ${first.outcome.detail}`;
  return unproven.map(({ requirement }) => requirement).join(", ");
};
