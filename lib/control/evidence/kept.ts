/** What worked before the run works still: evidence that is green on both, and red on stubs of what the run started from. */
import { type EvidenceCheck, isRed, type Proof } from "../../core/evidence/evidence.ts";
import { pathsOf, testPaths } from "../../core/evidence/outcome.ts";
import { asksToKeep } from "../../core/evidence/requirement-words.ts";
import { sourceLanguageOf } from "../../core/text/source-languages.ts";
import { type Executed, onStubs, readsText, type Trials, whyNoMore } from "./on-stubs.ts";
import { type StartTree, startTree } from "./start-tree.ts";
import { type EvaluatedTree, emptiedTree, isOfTests, type StepTrees } from "./trees.ts";
import { isOtherCode } from "./unstubbed.ts";

export interface KeptInput {
  place: Parameters<typeof startTree>[0];
  trees: StepTrees;
  on: (tree: EvaluatedTree) => Promise<Executed>;
}

export interface KeptCheck {
  /** What the requirement says. */
  text: string;
  check: EvidenceCheck;
}

export type KeptProof = Pick<Proof, "base" | "stubs" | "noStubs"> | { why: string };

/**
 * For a check that is green before the instruction. It proves nothing new, so that it counts only for a requirement that
 * asks for nothing new, and only where it held before the run: else a run could pass off as its work what it was given.
 * Undefined: it is no such requirement, or there was nothing to keep.
 */
export async function proveKept(
  { place, trees, on }: KeptInput,
  { text, check }: KeptCheck,
): Promise<KeptProof | undefined> {
  const start = asksToKeep(text) ? await startTree(place, trees) : undefined;
  if (!start) return undefined;
  const other = testPaths(check).find((path) => isOther(path, start, trees));
  if (other !== undefined)
    return { why: `is not what it was: the run started with another ${other}. Name a test that it did not change` };
  const { outcome } = await on(start);
  if (isRed(outcome)) return undefined;
  if (outcome.status === "unknown")
    return { why: `could not be executed on the files that the run started from: ${outcome.detail}` };
  const sources = { read: start.read, except: pathsOf({ argv: check.argv }) };
  const trials = { check, trees: start.trees, on, sources };
  const stubs = await onStubs(trials);
  if (stubs?.status === "refuted") return (await textProblem(trials)) ?? { base: outcome, stubs };
  const noStubs = stubs ? undefined : await withoutCode(trials, start);
  if (noStubs !== undefined) return { base: outcome, noStubs };
  return { why: `held before the run, and does not show what was there: ${whyNoMore(stubs)}` };
}

async function textProblem(trials: Trials): Promise<{ why: string } | undefined> {
  const problem = await readsText(trials);
  return problem && { why: problem.why.replace(/\.$/, "") };
}

/** Where no stubs can be made, the code that was given is emptied. Undefined: the check does not notice. */
async function withoutCode({ check, trees, on }: Trials, { given }: StartTree): Promise<string | undefined> {
  const code = [...given.keys()].filter(
    (path) => isOtherCode(path) && !isOfTests(path) && !pathsOf(check).includes(path),
  );
  const what = code.map((path) => sourceLanguageOf(path)?.name)[0];
  if (what === undefined) return undefined;
  const { outcome } = await on(emptiedTree(trees, code));
  return isRed(outcome) ? what : undefined;
}

const isOther = (path: string, { given }: StartTree, { work }: StepTrees): boolean =>
  given.has(path) && given.get(path) !== work.get(path);
