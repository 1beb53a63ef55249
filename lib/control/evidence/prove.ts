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
  wasProof,
} from "../../core/evidence/evidence.ts";
import { outcomeOf, pathsOf, testPaths } from "../../core/evidence/outcome.ts";
import { oneLine } from "../../core/text/cut.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { type KeptProof, proveKept } from "./kept.ts";
import { type Executed, onStubs, readsText, type Trials, whyNoMore } from "./on-stubs.ts";
import { baseTree, type EvaluatedTree, type StepTrees, treesOf, workTree } from "./trees.ts";
import { treesWithoutUnstubbed } from "./unstubbed.ts";

export interface ProveInput {
  world: Pick<World, "registry" | "files">;
  state: StepState;
  /** Evaluates, and journals what was found. */
  evaluate: (wanted: CheckRequest) => Promise<Verdict>;
}

export interface AskedProof {
  requirement: string;
  /** What the requirement says. */
  text: string;
  check: EvidenceCheck;
  /** Proved the requirement in an earlier instruction: what was built then is there before this one. */
  earlier?: Evidence | undefined;
}

export type ProofAttempt = { proof: Proof; result: ProveResult } | { result: ProveResult };

/** Cheapest first: what is not green now needs no further look. */
export async function prove(
  { world, state, evaluate }: ProveInput,
  { requirement, text, check, earlier }: AskedProof,
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
  const kept = isRed(before) ? undefined : await proveKept({ place: { world, state }, trees, on }, { text, check });
  if (kept) return keptProof(kept, { requirement, check, work }, trees);
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
  const reason = grade === PROVING_GRADE ? undefined : noStubs === undefined ? whyNoMore(stubs) : noStubsOf(noStubs);
  const proof: Proof = {
    ...{ requirement, check, files: filesOf(check, trees), grade, base, work },
    ...defined({ reason, noStubs }),
    ...(stubs ? { stubs } : {}),
  };
  return { proof, result: proofResult(proof) };
}

function keptProof(
  kept: KeptProof,
  shown: Pick<Proof, "requirement" | "check" | "work">,
  trees: StepTrees,
): ProofAttempt {
  if ("why" in kept) return refused(`${kept.why}.`);
  const grade = kept.noStubs === undefined ? PROVING_GRADE : 1;
  const reason = kept.noStubs === undefined ? {} : { reason: noStubsOf(kept.noStubs) };
  const proof: Proof = { ...shown, files: filesOf(shown.check, trees), grade, ...reason, kept: true, ...kept };
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
  hasFunctions: boolean,
): Promise<string | undefined> {
  const all = base ? trees : { ...trees, base: new Map<string, string>() };
  const reading = { read: sources.read, kept: pathsOf(check), hasFunctions };
  for (const { what, tree, isNoticed } of await treesWithoutUnstubbed(all, reading))
    if (isNoticed((await on(tree)).outcome)) return what;
  return undefined;
}

const OUTPUT_CHARS = 1_500;

export function refused(why: string, outcome?: Outcome): ProofAttempt {
  const output = outcome?.output ? `\n${outcome.output.slice(0, OUTPUT_CHARS)}` : "";
  return { result: { ok: false, text: `the check ${why}${output}`, finding: "not proven" } };
}

function proofResult(proof: Proof): ProveResult {
  const { requirement, check, grade, reason, base, stubs, work, kept } = proof;
  const lines = [
    kept
      ? `before this run: green (${oneLine(base.detail, 160)})`
      : `before this instruction: red (${oneLine(base.detail, 160)})`,
    ...(stubs
      ? [
          `with ${stubs.bodies} functions replaced by stubs: ${stubs.status === "passed" ? "green" : "red"} (${oneLine(stubs.detail, 160)})`,
        ]
      : []),
    `now: green (${work.detail})`,
  ];
  const first = wasProof(proof)
    ? `${requirement} is ${kept ? "kept, shown" : "proven"} by ${checkText(check)}, grade E${grade}${reason === undefined ? "" : `: ${reason}`}.`
    : `Evidence of grade E${grade} for ${requirement} is noted, and does not prove it: ${reason}. Assert on results that only the implementation can give, then call prove again.`;
  return { ok: true, text: [first, ...lines].join("\n"), finding: `${kept ? "kept, " : ""}${gradeWords(proof)}` };
}
