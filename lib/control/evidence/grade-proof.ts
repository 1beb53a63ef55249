/** The grade of what a check showed, with the mutants that a strict run asks for. */

import { asksForDocument } from "../../core/evidence/documents/document-check.ts";
import { gradeOf, type Proof } from "../../core/evidence/evidence.ts";
import { neededGrade } from "../../core/evidence/evidence-kind.ts";
import { isDecided, isStrong, scoreWords } from "../../core/evidence/mutants/score.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import { type MutantTrials, onMutants } from "./on-mutants.ts";
import type { ProveInput } from "./prove.ts";
import { TEXTS } from "./unstubbed.ts";

export interface GradedInput extends Pick<MutantTrials, "trees" | "sources" | "milliseconds" | "on"> {
  place: Pick<ProveInput, "state" | "evaluate">;
  /** What the requirement says. */
  text: string;
}

/** What no stub refutes has no mutants either. */
export async function gradeProof(shown: Omit<Proof, "grade">, input: GradedInput): Promise<Proof> {
  const { run } = input.place.state;
  const needed = neededGrade(run);
  const grade = gradeOf(shown);
  if (needed === undefined || isOfDocument(shown, input)) return { ...shown, grade };
  const { reason } = shown;
  if (grade < 2)
    return { ...shown, grade, needed, ...(shown.noStubs === undefined ? {} : { reason: `${reason}, ${NO_MUTANTS}` }) };
  const { score, isLate } = await onMutants({
    requirement: shown.requirement,
    check: shown.check,
    longestMs: evaluationMsOf(run.options),
    ...input,
    isReadable: async (path, tree) => {
      const { syntax } = await input.place.evaluate({ syntax: { paths: [path] }, tree: tree.changes });
      return syntax.status === "passed";
    },
  });
  const proof = { ...shown, needed, mutants: score };
  if (isStrong(score)) return { ...proof, grade: gradeOf(proof) };
  if (isLate && !isDecided(score)) return { ...shown, needed, grade, reason: `${scoreWords(score)}; ${LATE}` };
  return { ...proof, grade: gradeOf(proof), reason: scoreWords(score) };
}

/** A document that was asked for has nothing to change by a mutant: what the examiner's test reads there proves it. */
const isOfDocument = ({ noStubs, independent }: Omit<Proof, "grade">, { text }: GradedInput): boolean =>
  independent === true && noStubs === TEXTS && asksForDocument(text);

const NO_MUTANTS = "and no mutants either: only a waiver takes it as it is";
const LATE = "the time of this turn is used up, so prove it again in the next turn";
