/** Executes a check on the tree before the work, on stubs, and on the tree as it is: what it shows is its grade. */
import {
  checkText,
  type Evidence,
  type EvidenceCheck,
  isRed,
  type Outcome,
  PROVING_GRADE,
  type Proof,
  type StubOutcome,
  type TreeOutcome,
} from "../../core/evidence/evidence.ts";
import { outcomeOf, pathsOf, testPaths } from "../../core/evidence/outcome.ts";
import { STUB_VALUES } from "../../core/evidence/stubs/stub-file.ts";
import { oneLine } from "../../core/text/cut.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { baseTree, type EvaluatedTree, type StepTrees, stubTree, treesOf, workTree } from "./trees.ts";

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
  const on = async (tree: EvaluatedTree): Promise<TreeOutcome> => ({
    ...outcomeOf(check, await evaluate(requestFor(check, tree))),
    tree: tree.hash,
  });
  const work = await on(workTree(trees));
  if (work.status === "unknown") return refused(`could not be executed: ${work.detail}. That is no evidence.`, work);
  if (work.status !== "passed") return refused(`is red on the files as they are: ${work.detail}.`, work);
  const before = await on(baseTree(trees));
  if (before.status === "unknown")
    return refused(`could not be executed on the files before this instruction: ${before.detail}.`, before);
  if (!isRed(before) && !earlier)
    return refused(
      "passes on the files before this instruction too: it shows nothing of the work. Check what the requirement asks for, and what was not there before.",
    );
  const base = isRed(before) || !earlier ? before : earlier.base;
  const stubs = await onStubs(state, { trees, on });
  if (base !== before && stubs?.status !== "refuted")
    return refused(
      `passes on the files before this instruction too, and shows nothing of what was built before it: ${whyNoMore(stubs)}.`,
    );
  const grade = stubs?.status === "refuted" ? PROVING_GRADE : 1;
  const reason = grade === PROVING_GRADE ? undefined : whyNoMore(stubs);
  const proof: Proof = {
    ...{ requirement, check, files: filesOf(check, trees), grade, base, work },
    ...(reason === undefined ? {} : { reason }),
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

interface Trials {
  trees: StepTrees;
  on: (tree: EvaluatedTree) => Promise<TreeOutcome>;
}

/** Until one value of the stubs is refuted by the check's own assertion. Undefined: nothing can be replaced. */
async function onStubs(state: StepState, { trees, on }: Trials): Promise<StubOutcome | undefined> {
  let best: StubOutcome | undefined;
  for (const value of STUB_VALUES) {
    const tree = await stubTree(trees, (path) => state.tree.work.read(path), value);
    if (!tree) return undefined;
    const { bodies, files } = tree;
    const found = { ...(await on(tree)), bodies, files };
    if (found.status === "refuted") return found;
    // That it notices nothing says more than that it broke.
    if (!best || found.status === "passed") best = found;
  }
  return best;
}

function whyNoMore(stubs: StubOutcome | undefined): string {
  if (!stubs) return "no stubs can be made: there is no function of JavaScript, TypeScript or Python to replace";
  const where = `where ${stubs.bodies} functions of ${stubs.files} files are stubs`;
  if (stubs.status === "passed") return `it passes ${where}, so it does not look at what the code does`;
  if (stubs.status === "unknown") return `it could not be executed ${where}: ${stubs.detail}`;
  return `${where} it breaks by ${stubs.detail}, and not by its own assertion`;
}

const OUTPUT_CHARS = 1_500;

function refused(why: string, outcome?: Outcome): ProofAttempt {
  const output = outcome?.output ? `\n${outcome.output.slice(0, OUTPUT_CHARS)}` : "";
  return { result: { ok: false, text: `Nothing is proven. The check ${why}${output}`, finding: "not proven" } };
}

function proofResult({ requirement, check, grade, reason, base, stubs, work }: Proof): ProveResult {
  const lines = [
    `before this instruction: red (${oneLine(base.detail, 160)})`,
    ...(stubs
      ? [
          `with ${stubs.bodies} functions replaced by stubs: ${stubs.status === "passed" ? "green" : "red"} (${oneLine(stubs.detail, 160)})`,
        ]
      : []),
    `now: green (${work.detail})`,
  ];
  const first =
    grade >= PROVING_GRADE
      ? `${requirement} is proven by ${checkText(check)}, grade E${grade}.`
      : `Evidence of grade E${grade} for ${requirement} is noted, and does not prove it: ${reason}. Assert on results that only the implementation can give, then call prove again.`;
  return { ok: true, text: [first, ...lines].join("\n"), finding: `E${grade}` };
}
