/** A check of a constraint: green is all it must be, because a tree without work breaks no limit. */
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { documentOutcome } from "../../core/evidence/documents/document-outcome.ts";
import { type EvidenceCheck, isRed, type Outcome, type Proof } from "../../core/evidence/evidence.ts";
import { outcomeOf } from "../../core/evidence/outcome.ts";
import { extractConstraints } from "../../core/program/constraints.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { documentsNow } from "./by-documents.ts";
import { filesOf, type ProofAttempt, type ProveInput, refused, requestFor } from "./prove.ts";
import { type StepTrees, treesOf, workTree } from "./trees.ts";

/** An id that a requirement has is that requirement's. */
export const isConstraintOf = (
  { task }: Pick<StoredTask, "task">,
  requirements: readonly { id: string }[],
  id: string,
): boolean => !requirements.some((each) => each.id === id) && extractConstraints(task).some((each) => each.id === id);

/** It holds up each later gate and the delivery, like what proves a requirement. */
export async function proveConstraint(
  input: ProveInput,
  { requirement, check }: { requirement: string; check: EvidenceCheck },
): Promise<ProofAttempt> {
  const trees = await treesOf(input);
  const outcome = await executed(input, check, trees);
  if (outcome.status === "unknown")
    return refused(`could not be executed: ${outcome.detail}. That is no evidence.`, outcome);
  if (isRed(outcome)) return refused(`fails on the current files: ${outcome.detail}.`, outcome);
  const work = { ...outcome, tree: workTree(trees).hash };
  // A file that a command names may be the one that is limited: it may change as long as the check is green.
  const files = filesOf({ tests: check.tests }, trees);
  const proof: Proof = {
    requirement,
    check,
    files,
    base: work,
    work,
    grade: 1,
    constraint: true,
    reason: REASON,
  };
  const text = `Constraint ${requirement} is checked: green on the current files. It is executed again at each gate and at delivery.`;
  return { proof, result: { ok: true, text, finding: "checked" } };
}

const REASON = "a constraint: the check is green, and need not have been red";

async function executed(input: ProveInput, check: EvidenceCheck, trees: StepTrees): Promise<Outcome> {
  if (isOfDocuments(check)) return documentOutcome(check, await documentsNow(input, trees.work));
  return outcomeOf(check, await input.evaluate(requestFor(check, workTree(trees))));
}
