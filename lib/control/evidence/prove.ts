/** Executes a check on the tree before the work, on stubs, and on the tree as it is: what it shows is its grade. */
import { defined } from "../../core/defined.ts";
import {
  checkText,
  type Evidence,
  type EvidenceCheck,
  gradeWords,
  isRed,
  type Outcome,
  PROVING_GRADE,
  type Proof,
  type StubOutcome,
  type TreeOutcome,
  wasProof,
} from "../../core/evidence/evidence.ts";
import { outcomeOf, pathsOf, refutedOnlyOnStubs, testPaths } from "../../core/evidence/outcome.ts";
import { STUB_LANGUAGES, STUB_VALUES } from "../../core/evidence/stubs/stub-file.ts";
import { oneLine } from "../../core/text/cut.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import { NO_TIME_LEFT } from "../../core/verdict/gate.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { baseTree, type EvaluatedTree, remarkedTree, type StepTrees, stubTree, treesOf, workTree } from "./trees.ts";
import { treesWithoutUnstubbed } from "./unstubbed.ts";

export interface ProveInput {
  world: Pick<World, "registry">;
  state: StepState;
  /** Evaluates, and journals what was found. */
  evaluate: (wanted: CheckRequest) => Promise<Verdict>;
}

export interface AskedProof {
  requirement: string;
  check: EvidenceCheck;
  /** Proved the requirement in an earlier instruction: what was built then is there before this one. */
  earlier?: Evidence | undefined;
}

export type ProofAttempt = { proof: Proof; result: ProveResult } | { result: ProveResult };

/** Cheapest first: what is not green now needs no further look. */
export async function prove(
  { world, state, evaluate }: ProveInput,
  { requirement, check, earlier }: AskedProof,
): Promise<ProofAttempt> {
  const trees = await treesOf({ world, state });
  const on = async (tree: EvaluatedTree): Promise<Executed> => {
    const verdict = await evaluate(requestFor(check, tree));
    return { outcome: { ...outcomeOf(check, verdict), tree: tree.hash }, verdict };
  };
  const { outcome: work } = await on(workTree(trees));
  if (work.status === "unknown") return refused(`could not be executed: ${work.detail}. That is no evidence.`, work);
  if (work.status !== "passed") return refused(`fails on the current files: ${work.detail}.`, work);
  const { outcome: before, verdict: found } = await on(baseTree(trees));
  if (before.status === "unknown")
    return refused(`could not be executed on the files before this instruction: ${before.detail}.`, before);
  if (!isRed(before) && !earlier)
    return refused(
      "passes on the files before this instruction too: it shows nothing of the work. Check what the requirement asks for, and what was not there before.",
    );
  const base = isRed(before) || !earlier ? before : earlier.base;
  const sources = { read: (path: string) => state.tree.work.read(path), except: pathsOf({ argv: check.argv }) };
  const isKnownProof = base !== before;
  const trials = { check, trees, on, sources, ...(isKnownProof ? {} : { base: found }) };
  const stubs = await onStubs(trials);
  const noStubs = stubs?.status === "refuted" ? undefined : await withoutStubs(trials, stubs !== undefined);
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
  const grade = stubs?.status === "refuted" ? PROVING_GRADE : 1;
  const reason =
    grade === PROVING_GRADE
      ? undefined
      : noStubs === undefined
        ? whyNoMore(stubs)
        : `no stubs can be made of ${noStubs}`;
  const proof: Proof = {
    ...{ requirement, check, files: filesOf(check, trees), grade, base, work },
    ...defined({ reason, noStubs }),
    ...(stubs ? { stubs } : {}),
  };
  return { proof, result: proofResult(proof) };
}

const filesOf = (check: EvidenceCheck, { work }: StepTrees): NonNullable<Proof["files"]> =>
  pathsOf(check).flatMap((path) => {
    const sha256 = work.get(path);
    return sha256 === undefined ? [] : [{ path, sha256 }];
  });

/** What a check of evidence asks the evaluator for. */
export const requestFor = (check: EvidenceCheck, tree?: EvaluatedTree): CheckRequest => ({
  ...(check.argv ? { command: { argv: check.argv } } : { tests: { paths: testPaths(check) } }),
  ...(tree ? { tree: tree.changes } : {}),
});

interface Executed {
  outcome: TreeOutcome;
  verdict: Verdict;
}

interface Trials {
  check: EvidenceCheck;
  trees: StepTrees;
  on: (tree: EvaluatedTree) => Promise<Executed>;
  sources: Parameters<typeof stubTree>[1];
  /** Absent: what it found before the instruction says nothing. */
  base?: Verdict;
}

/** What looks at the text of the code, and not at what it does, notices a comment. */
async function readsText({ trees, on, sources }: Trials): Promise<{ why: string; outcome: Outcome } | undefined> {
  const tree = await remarkedTree(trees, sources);
  const outcome = tree && (await on(tree)).outcome;
  if (!outcome || outcome.status === "passed") return undefined;
  const why =
    outcome.status === "unknown"
      ? `could not be executed where each source file has one comment more: ${outcome.detail}.`
      : `is red where each source file has one comment more (${outcome.detail}): it looks at the text of the code. Check what the code does.`;
  return { why, outcome };
}

/**
 * What of the work the check looks at, if no stubs can be made of it. Undefined: it notices nothing of that. What an
 * earlier instruction proved was built before this one: all files count then.
 */
async function withoutStubs(
  { check, trees, on, sources, base }: Trials,
  hasFunctions: boolean,
): Promise<string | undefined> {
  const all = base ? trees : { ...trees, base: new Map<string, string>() };
  const reading = { read: sources.read, kept: pathsOf(check), hasFunctions };
  for (const { what, tree, isNoticed } of await treesWithoutUnstubbed(all, reading))
    if (isNoticed((await on(tree)).outcome)) return what;
  return undefined;
}

/** Until one value of the stubs is refuted by the check's own assertion. Undefined: nothing can be replaced. */
async function onStubs({ check, trees, on, sources, base }: Trials): Promise<StubOutcome | undefined> {
  let best: StubOutcome | undefined;
  for (const value of STUB_VALUES) {
    const tree = await stubTree(trees, sources, value);
    if (!tree) return undefined;
    const { bodies, files } = tree;
    const { outcome, verdict } = await on(tree);
    const unrelated = base && outcome.status === "refuted" && refutedOnlyOnStubs(check, { base, stubs: verdict });
    const found: StubOutcome = unrelated
      ? {
          ...outcome,
          status: "failed",
          detail: `${unrelated}, which passed before this instruction too`,
          bodies,
          files,
        }
      : { ...outcome, bodies, files };
    if (found.status === "refuted" || hadNoTime(verdict)) return found;
    // That it notices nothing says more than that it broke; that it could not be executed says nothing.
    if (!best || best.status === "unknown" || found.status === "passed") best = found;
  }
  return best;
}

/** What was not executed says nothing of the check, and may be asked for again. */
const hadNoTime = ({ tests, command }: Verdict): boolean => [tests.reason, command?.reason].includes(NO_TIME_LEFT);

function whyNoMore(stubs: StubOutcome | undefined): string {
  if (!stubs)
    return `no stubs can be made: beside the files that the check names there is no function of ${STUB_LANGUAGES} to replace`;
  const where = `where ${stubs.bodies} functions of ${stubs.files} files are stubs`;
  if (stubs.status === "passed") return `it passes ${where}, so it does not look at what the code does`;
  if (stubs.status === "unknown") return `it could not be executed ${where}: ${stubs.detail}`;
  return `${where} it breaks by ${stubs.detail}, and not by its own assertion`;
}

const OUTPUT_CHARS = 1_500;

function refused(why: string, outcome?: Outcome): ProofAttempt {
  const output = outcome?.output ? `\n${outcome.output.slice(0, OUTPUT_CHARS)}` : "";
  return { result: { ok: false, text: `the check ${why}${output}`, finding: "not proven" } };
}

function proofResult(proof: Proof): ProveResult {
  const { requirement, check, grade, reason, base, stubs, work } = proof;
  const lines = [
    `before this instruction: red (${oneLine(base.detail, 160)})`,
    ...(stubs
      ? [
          `with ${stubs.bodies} functions replaced by stubs: ${stubs.status === "passed" ? "green" : "red"} (${oneLine(stubs.detail, 160)})`,
        ]
      : []),
    `now: green (${work.detail})`,
  ];
  const first = wasProof(proof)
    ? `${requirement} is proven by ${checkText(check)}, grade E${grade}${reason === undefined ? "" : `: ${reason}`}.`
    : `Evidence of grade E${grade} for ${requirement} is noted, and does not prove it: ${reason}. Assert on results that only the implementation can give, then call prove again.`;
  return { ok: true, text: [first, ...lines].join("\n"), finding: gradeWords(proof) };
}
