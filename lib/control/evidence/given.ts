/** A check that the user gave: it needs no stubs, because the author of the work did not write it. */

import { checkText, type EvidenceCheck, GIVEN_GRADE, isRed, type Proof } from "../../core/evidence/evidence.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { gradeWords } from "../../core/evidence/grade-words.ts";
import { outcomeOf, testPaths } from "../../core/evidence/outcome.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { changesBetween } from "../../pack/pack.ts";
import { readTree } from "../files/packs.ts";
import { type AskedProof, filesOf, type ProofAttempt, type ProveInput, prove, refused, requestFor } from "./prove.ts";
import {
  changed,
  committedFiles,
  type EvaluatedTree,
  hashOfFiles,
  type StepTrees,
  treesOf,
  workTree,
} from "./trees.ts";

export interface ProofInput extends ProveInput {
  /** Paths of the tests that the user gave. */
  given: readonly string[];
}

/** Of tests, each of which the user gave. */
export function isGivenCheck(check: EvidenceCheck, given: readonly string[]): boolean {
  const theirs = new Set(given.map(foldPath));
  return (check.tests ?? []).length > 0 && testPaths(check).every((path) => theirs.has(foldPath(path)));
}

export const proveAny = (input: ProofInput, asked: AskedProof): Promise<ProofAttempt> =>
  isGivenCheck(asked.check, input.given) ? proveGiven(input, asked) : prove(input, asked);

/** Where the run has an examiner, what an instruction writes is shown, and proves nothing. */
export async function proveByAuthor(input: ProofInput, asked: AskedProof): Promise<ProofAttempt> {
  if (isGivenCheck(asked.check, input.given)) return proveGiven(input, asked);
  const proved = await prove(input, asked);
  if (!("proof" in proved)) return proved;
  const proof = { ...proved.proof, independent: false };
  const text = `${checkText(asked.check)} is noted for ${asked.requirement} with grade E${proof.grade}, by its author: it proves nothing in this run. The checks of the examiner do.`;
  return { proof, result: { ok: true, text, finding: gradeWords(proof) } };
}

/** Red on the files that the run started from, whatever instruction did the work since, and green now. */
export async function proveGiven(
  { world, state, evaluate }: ProofInput,
  { requirement, check }: Pick<AskedProof, "requirement" | "check">,
): Promise<ProofAttempt> {
  const trees = await treesOf({ world, state });
  const on = async (tree: EvaluatedTree) => ({
    ...outcomeOf(check, await evaluate(requestFor(check, tree))),
    tree: tree.hash,
  });
  const work = await on(workTree(trees));
  if (work.status === "unknown") return refused(`could not be executed: ${work.detail}. That is no evidence.`, work);
  if (work.status !== "passed") return refused(`fails on the current files: ${work.detail}.`, work);
  const base = await on(await startOf({ world, state }));
  if (base.status === "unknown")
    return refused(`could not be executed on the files that the run started from: ${base.detail}.`, base);
  if (!isRed(base))
    return refused(
      "passes on the files that the run started from too: it shows nothing of the work. Name another one.",
    );
  const independent = hasExaminer(state.run) ? { independent: true } : {};
  const proof: Proof = {
    ...{ requirement, check, files: filesOf(check, trees), grade: GIVEN_GRADE, ...independent, base, work },
  };
  const text = `${requirement} is proven by ${checkText(check)}, grade E${GIVEN_GRADE}: the user gave it, and it failed before the work.`;
  return { proof, result: { ok: true, text, finding: gradeWords(proof) } };
}

/** As changes of the latest pack. */
async function startOf({ world, state: { run } }: Pick<ProofInput, "world" | "state">): Promise<EvaluatedTree> {
  const start = await readTree(world.files, run.id, 0);
  const changes: StepTrees["changes"] = changesBetween(await readTree(world.files, run.id, run.packed), start);
  return { changes, hash: hashOfFiles(changed(await committedFiles(world, run.id), changes)) };
}
