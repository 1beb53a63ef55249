/** A check that the user gave: it needs no stubs, because the author of the work did not write it. */

import {
  checkText,
  type Evidence,
  type EvidenceCheck,
  evidenceName,
  GIVEN_GRADE,
  isRed,
  OF_EXAMINER,
  type Outcome,
  type Proof,
} from "../../core/evidence/evidence.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { gradeWords } from "../../core/evidence/grade-words.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { isSameSelection, outcomeOf, testPaths } from "../../core/evidence/outcome.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { changesBetween } from "../../pack/pack.ts";
import { readTree } from "../files/packs.ts";
import { type AskedProof, filesOf, type ProofAttempt, type ProveInput, prove, refused, requestFor } from "./prove.ts";
import {
  baseTree,
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
  /** What counts so far: a given test that proves one requirement proves no other. Absent: nothing is claimed. */
  known?: readonly Evidence[];
}

/** Of tests, each of which the user gave. */
export function isGivenCheck(check: EvidenceCheck, given: readonly string[]): boolean {
  const theirs = new Set(given.map(foldPath));
  return (check.tests ?? []).length > 0 && testPaths(check).every((path) => theirs.has(foldPath(path)));
}

export const proveAny = (input: ProofInput, asked: AskedProof): Promise<ProofAttempt> =>
  isGivenCheck(asked.check, input.given) ? proveGiven(input, asked) : prove(input, asked);

/**
 * Where the run has an examiner, what an instruction writes is shown, and proves nothing. Which given tests check which
 * requirement is for the examiner to say.
 */
export async function proveByAuthor(input: ProofInput, asked: AskedProof): Promise<ProofAttempt> {
  if (isGivenCheck(asked.check, input.given))
    return refused(
      `is of tests that the user gave. In this run they prove what the examiner declared them for: it did not for ${asked.requirement}, or they prove it already.`,
    );
  const proved = await prove(input, { ...asked, independent: false });
  if (!("proof" in proved)) return proved;
  const proof = { ...proved.proof, independent: false };
  const text = `${checkText(asked.check)} is noted for ${asked.requirement} with grade E${proof.grade}, by its author: it proves nothing in this run. The checks of the examiner do.`;
  return { proof, result: { ok: true, text, finding: gradeWords(proof) } };
}

/**
 * Red on the files that the run started from, green now, and red before work on this requirement: this instruction, or
 * an earlier one that serves it. What the examiner declared was tied to the requirement by that.
 */
export async function proveGiven(
  { world, state, evaluate, given, known = [] }: ProofInput,
  { requirement, check, earlier }: Pick<AskedProof, "requirement" | "check" | "earlier">,
): Promise<ProofAttempt> {
  const trees = await treesOf({ world, state });
  const on = async (tree: EvaluatedTree) => {
    const verdict = await evaluate(requestFor(check, tree));
    return { verdict, outcome: { ...outcomeOf(check, verdict), tree: tree.hash } };
  };
  const { outcome: work, verdict } = await on(workTree(trees));
  if (work.status === "unknown") return refused(`could not be executed: ${work.detail}. That is no evidence.`, work);
  if (work.status !== "passed") return refused(`fails on the current files: ${work.detail}.`, work);
  const other = claimedFor({ requirement, check }, { given, known, verdict });
  if (other) return refused(alreadyClaimed(other, requirement));
  const { outcome: start } = await on(await treeAfter({ world, state }, 0));
  if (start.status === "unknown")
    return refused(`could not be executed on the files that the run started from: ${start.detail}.`, start);
  if (!isRed(start))
    return refused(
      "passes on the files that the run started from too: it shows nothing of the work. Name another one.",
    );
  const isDeclared = earlier?.instruction === OF_EXAMINER;
  const base = isDeclared ? start : await beforeWork({ world, state, requirement, start, trees, on });
  if (base.status === "unknown") return refused(`could not be executed on the files before: ${base.detail}.`, base);
  if (!isRed(base))
    return refused(
      `passed before this instruction, and before each earlier one that serves ${requirement}: other work made it green, so that it shows nothing of ${requirement}. Name another one.`,
    );
  const independent = hasExaminer(state.run) ? { independent: true } : {};
  const proof: Proof = {
    requirement,
    check,
    files: filesOf(check, trees),
    grade: GIVEN_GRADE,
    ...independent,
    base,
    work,
  };
  const text = `${requirement} is proven by ${checkText(check)}, grade E${GIVEN_GRADE}: the user gave it, and it failed before the work.`;
  return { proof, result: { ok: true, text, finding: gradeWords(proof) } };
}

/** Evidence of another requirement by one of the same given tests, under whatever name. */
export function claimedFor(
  { requirement, check: { tests = [] } }: Pick<AskedProof, "requirement" | "check">,
  { given, known, verdict }: Required<Pick<ProofInput, "given" | "known">> & { verdict: Verdict },
): Evidence | undefined {
  return standingOf([...known]).find(
    (each) =>
      each.requirement !== requirement &&
      !each.constraint &&
      each.changed !== true &&
      each.independent !== false &&
      isGivenCheck(each.check, given) &&
      (each.check.tests ?? []).some((one) => tests.some((mine) => isSameSelection(one, mine, verdict))),
  );
}

export const alreadyClaimed = (other: Evidence, requirement: string): string =>
  `has a given test that is the check of ${other.requirement} already (${evidenceName(other)}): one given test proves one requirement. Name other tests for ${requirement}.`;

interface WorkInput extends Pick<ProofInput, "world" | "state"> {
  requirement: string;
  start: Outcome & { tree: string };
  trees: StepTrees;
  on: (tree: EvaluatedTree) => Promise<{ outcome: Outcome & { tree: string } }>;
}

/** On the files before this instruction; where it is green there, on those before the first one that served the requirement. */
async function beforeWork({ world, state, requirement, start, trees, on }: WorkInput) {
  const { run, number } = state;
  if (run.packed === 0) return start;
  const { outcome: before } = await on(baseTree(trees));
  if (isRed(before)) return before;
  const serving = (await world.registry.instructions(run.id))
    .filter((each) => each.status === "accepted" && each.number < number && each.number <= run.packed)
    .filter(({ requirements }) => requirements.some((id) => isPartOf(id, requirement) || isPartOf(requirement, id)))
    .map((each) => each.number);
  if (serving.length === 0) return before;
  const first = Math.min(...serving);
  return first === 1 ? start : (await on(await treeAfter({ world, state }, first - 1))).outcome;
}

/** `R1.2` is of `R1`, and each is of itself. */
const isPartOf = (id: string, whole: string): boolean => id === whole || id.startsWith(`${whole}.`);

/** After an instruction, as changes of the latest pack. */
async function treeAfter(
  { world, state: { run } }: Pick<ProofInput, "world" | "state">,
  number: number,
): Promise<EvaluatedTree> {
  const then = await readTree(world.files, run.id, number);
  const changes: StepTrees["changes"] = changesBetween(await readTree(world.files, run.id, run.packed), then);
  return { changes, hash: hashOfFiles(changed(await committedFiles(world, run.id), changes)) };
}
