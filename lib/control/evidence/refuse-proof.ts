/** Proofs that are refused before anything is executed. Pure. */
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import type { EvidenceCheck } from "../../core/evidence/evidence.ts";
import { PROOFS_PER_TURN } from "../../core/limits.ts";
import { extractConstraints } from "../../core/program/constraints.ts";
import type { StoredTask } from "../../core/run/task.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import type { OpenStep } from "../turn/open-step.ts";

const TOO_MANY: ProveResult = {
  ok: false,
  text: `Nothing was executed: one turn has at most ${PROOFS_PER_TURN} calls of prove. Call it for the rest in the next turn.`,
  finding: "too many",
};

const ONLY_TEXTS: ProveResult = {
  ok: false,
  text: "Nothing is proven. With this prompt pack nothing is executed: name passages, counts or links of the text.",
  finding: "not a text",
};

const OF_ENGINEERS: ProveResult = {
  ok: false,
  text: "Nothing was executed: those who write the code check the constraints, once it is there. Check the requirements.",
  finding: "a constraint",
};

/** What is not even looked at. `calls`: so many were, in this turn. */
export function refusalOf(
  { document, examines, context: { requirements } }: OpenStep,
  { requirement, check }: { requirement: string; check: EvidenceCheck },
  calls: number,
): ProveResult | undefined {
  if (calls >= PROOFS_PER_TURN) return TOO_MANY;
  if (requirements.some(({ id }) => id === requirement)) return ofTexts(document, check);
  const constraints = extractConstraints(document.task);
  if (constraints.some(({ id }) => id === requirement)) return examines ? OF_ENGINEERS : ofTexts(document, check);
  return unknownRequirement(requirement, [...requirements, ...constraints]);
}

const ofTexts = ({ pack }: StoredTask, check: EvidenceCheck): ProveResult | undefined =>
  pack.declaration.checks.prose && !isOfDocuments(check) ? ONLY_TEXTS : undefined;

function unknownRequirement(id: string, requirements: { id: string }[]): ProveResult {
  const named = requirements.map((each) => each.id).slice(0, 60);
  const text =
    named.length === 0
      ? "The program has no requirements: there is nothing to prove."
      : `There is no requirement ${id}. There are: ${named.join(", ")}.`;
  return { ok: false, text, finding: "unknown requirement" };
}
