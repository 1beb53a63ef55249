/** Executes a check on the tree before the work, on stubs, and on the tree as it is: what it shows is its grade. */
import { defined } from "../../core/defined.ts";
import { asksForDocument, isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { type Evidence, type EvidenceCheck, isRed, type Outcome, type Proof } from "../../core/evidence/evidence.ts";
import { outcomeOf, pathsOf, testPaths } from "../../core/evidence/outcome.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { type DocumentProof, proveByDocuments } from "./by-documents.ts";
import { type GradedInput, gradeProof } from "./grade-proof.ts";
import { type KeptProof, proveKept } from "./kept.ts";
import { type Executed, onStubs, readsText, type Trials, whyNoMore } from "./on-stubs.ts";
import { proofResult } from "./proof-result.ts";
import { baseTree, type EvaluatedTree, type StepTrees, treesOf, workTree } from "./trees.ts";
import { treesWithoutUnstubbed } from "./unstubbed.ts";

export interface ProveInput {
  world: Pick<World, "registry" | "files">;
  state: StepState;
  /** Evaluates, and journals what was found. */
  evaluate: (wanted: CheckRequest) => Promise<Verdict>;
  /** The prompt pack runs no tests: documents are the work. */
  isOfTexts: boolean;
}

export interface AskedProof {
  requirement: string;
  /** What the requirement says. */
  text: string;
  check: EvidenceCheck;
  /** Proved the requirement in an earlier instruction: what was built then is there before this one. */
  earlier?: Evidence | undefined;
  /** In a run with an examiner: whether that wrote the check, and not who wrote the code. */
  independent?: boolean;
}

/** `outcome`: of a refused check, the one that it was refused for. */
export type ProofAttempt = { proof: Proof; result: ProveResult } | { result: ProveResult; outcome?: Outcome };

/** Cheapest first: what is not green now needs no further look. */
export async function prove(input: ProveInput, asked: AskedProof): Promise<ProofAttempt> {
  const { world, state, evaluate } = input;
  const { requirement, text, check, earlier, independent } = asked;
  if (isOfDocuments(check)) return documentProof(await proveByDocuments(input, asked));
  const trees = await treesOf({ world, state });
  const on = async (tree: EvaluatedTree, wanted: Pick<CheckRequest, "wholeMs"> = {}): Promise<Executed> => {
    const verdict = await evaluate({ ...requestFor(check, tree), ...wanted });
    return { outcome: { ...outcomeOf(check, verdict), tree: tree.hash }, verdict };
  };
  const { outcome: work, verdict: now } = await on(workTree(trees));
  if (work.status === "unknown") return refused(`could not be executed: ${work.detail}. That is no evidence.`, work);
  if (work.status !== "passed") return refused(`fails on the current files: ${work.detail}.`, work);
  const { outcome: before, verdict: found } = await on(baseTree(trees));
  if (before.status === "unknown")
    return refused(`could not be executed on the files before this instruction: ${before.detail}.`, before);
  const sources = { read: (path: string) => state.tree.work.read(path), except: pathsOf({ argv: check.argv }) };
  const grading = { place: { state, evaluate }, text, trees, sources, milliseconds: now.milliseconds, on };
  const kept = isRed(before) ? undefined : await proveKept({ place: { world, state }, trees, on }, { text, check });
  if (kept) return keptProof(kept, { requirement, check, work, ...defined({ independent }) }, grading);
  if (!isRed(before) && !earlier)
    return refused(
      "passes on the files before this instruction too: it shows nothing of the work. Check what the requirement asks for, and what was not there before.",
    );
  const base = isRed(before) || !earlier ? before : earlier.base;
  const isKnownProof = base !== before;
  const trials = { check, trees, on, sources, ...(isKnownProof ? {} : { base: found }) };
  const stubs = await onStubs(trials);
  const isOfText = input.isOfTexts || asksForDocument(text);
  const noStubs =
    stubs?.status === "refuted"
      ? undefined
      : await withoutStubs(trials, { hasFunctions: stubs !== undefined, isOfText });
  if (isKnownProof && stubs?.status !== "refuted" && noStubs === undefined)
    return refused(
      `passes on the files before this instruction too, and shows nothing of what was built before it: ${whyNoMore(stubs)}.`,
    );
  if (stubs?.status === "unknown" && noStubs === undefined)
    return refused(
      `could not be executed with functions replaced by stubs: ${stubs.detail}. That is no evidence.`,
      stubs,
    );
  const problem = stubs?.status === "refuted" ? await readsText(trials) : undefined;
  if (problem) return refused(problem.why, problem.outcome);
  const reason =
    stubs?.status === "refuted" ? undefined : noStubs === undefined ? whyNoMore(stubs) : noStubsOf(noStubs);
  const shown = {
    requirement,
    check,
    files: filesOf(check, trees),
    base,
    work,
    ...defined({ reason, noStubs, stubs, independent }),
  };
  const proof = await gradeProof(shown, grading);
  return { proof, result: proofResult(proof) };
}

function documentProof(found: DocumentProof): ProofAttempt {
  if ("why" in found) return refused(`${found.why}.`, found.outcome);
  return { proof: found.proof, result: proofResult(found.proof) };
}

async function keptProof(
  kept: KeptProof,
  shown: Pick<Proof, "requirement" | "check" | "work" | "independent">,
  grading: GradedInput,
): Promise<ProofAttempt> {
  if ("why" in kept) return refused(`${kept.why}.`);
  const reason = kept.noStubs === undefined ? {} : { reason: noStubsOf(kept.noStubs) };
  const files = filesOf(shown.check, grading.trees);
  const proof = await gradeProof({ ...shown, files, ...reason, kept: true, ...kept }, grading);
  return { proof, result: proofResult(proof) };
}

const noStubsOf = (what: string): string => `no stubs can be made of ${what}`;

export const filesOf = (check: EvidenceCheck, { work }: StepTrees): NonNullable<Proof["files"]> =>
  pathsOf(check).flatMap((path) => {
    const sha256 = work.get(path);
    return sha256 === undefined ? [] : [{ path, sha256 }];
  });

/** What a check of evidence asks the evaluator for. */
export const requestFor = (check: EvidenceCheck, tree?: EvaluatedTree): CheckRequest => ({
  ...(check.argv ? { command: { argv: check.argv } } : { tests: { paths: testPaths(check) } }),
  ...(tree ? { tree: tree.changes } : {}),
});

/**
 * What of the work the check looks at, if no stubs can be made of it. Undefined: it notices nothing of that. What an
 * earlier instruction proved was built before this one: all files count then.
 */
async function withoutStubs(
  { check, trees, on, sources, base }: Trials,
  given: { hasFunctions: boolean; isOfText: boolean },
): Promise<string | undefined> {
  const all = base ? trees : { ...trees, base: new Map<string, string>() };
  const reading = { read: sources.read, kept: pathsOf(check), ...given };
  for (const { what, tree, isNoticed } of await treesWithoutUnstubbed(all, reading))
    if (isNoticed((await on(tree)).outcome)) return what;
  return undefined;
}

const OUTPUT_CHARS = 1_500;

export function refused(why: string, outcome?: Outcome): ProofAttempt {
  const output = outcome?.output ? `\n${outcome.output.slice(0, OUTPUT_CHARS)}` : "";
  const result = { ok: false, text: `the check ${why}${output}`, finding: "not proven" };
  return outcome ? { result, outcome } : { result };
}
