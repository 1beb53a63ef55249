/** The values of `--evidence`. Pure. */
import * as z from "zod";

/** Whether a run is done when its requirements are proven by executed checks. */
export const EvidenceKind = z.enum(["off", "own", "independent", "strict"]);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

interface Asking {
  options: { evidence?: EvidenceKind | undefined };
}

/** `format`: of its record. Absent: it is submitted now. */
interface Examining extends Asking {
  format?: number;
}

/** Absent is off: so it is in records of versions without evidence. */
export const asksForEvidence = ({ options: { evidence = "off" } }: Asking): boolean => evidence !== "off";

/** Of the record of a run: from this one on, `strict` has an examiner. */
export const EXAMINED_FORMAT = 5;

/** Whether the checks are written before the first instruction, by a step that sees no code of the run. */
export const hasExaminer = ({ options: { evidence }, format = EXAMINED_FORMAT }: Examining): boolean =>
  evidence === "independent" || (evidence === "strict" && format >= EXAMINED_FORMAT);

/** The grade that proves a requirement, where it is not that of every kind. */
export function neededGrade(run: Examining): number | undefined {
  if (run.options.evidence !== "strict") return undefined;
  return hasExaminer(run) ? 4 : 3;
}

interface EvidencePlan {
  /** What was chosen, if anything was. */
  chosen: EvidenceKind | undefined;
  /** Whether tests of the files run: those of a book do not. */
  isTested: boolean;
  /** As it is given, without the requirements of the task. Absent: the model writes the program, with requirements. */
  program?: (Named & { instructions: readonly Named[] }) | undefined;
}

interface Named {
  requirements: readonly unknown[];
}

/** Without a choice, evidence is asked for where it can be executed, and there is something to prove. */
export function evidenceOf({ chosen, isTested, program }: EvidencePlan): EvidenceKind {
  if (chosen !== undefined) return chosen;
  return isTested && (program === undefined || namesRequirements(program)) ? "own" : "off";
}

/** One that serves none of what the task lists is not asked to prove it. */
const namesRequirements = ({ requirements, instructions }: NonNullable<EvidencePlan["program"]>): boolean =>
  [{ requirements }, ...instructions].some((each) => each.requirements.length > 0);
