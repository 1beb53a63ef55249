/** A check on stubs: whether it looks at what the code does. */
import type { EvidenceCheck, Outcome, StubOutcome, TreeOutcome } from "../../core/evidence/evidence.ts";
import { refutedOnlyOnStubs } from "../../core/evidence/outcome.ts";
import { STUB_LANGUAGES, STUB_VALUES } from "../../core/evidence/stubs/stub-file.ts";
import { NO_TIME_LEFT } from "../../core/verdict/gate.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { type EvaluatedTree, remarkedTree, type StepTrees, stubTree } from "./trees.ts";

export interface Executed {
  outcome: TreeOutcome;
  verdict: Verdict;
}

export interface Trials {
  check: EvidenceCheck;
  trees: StepTrees;
  on: (tree: EvaluatedTree) => Promise<Executed>;
  sources: Parameters<typeof stubTree>[1];
  /** Absent: what it found before the instruction says nothing. */
  base?: Verdict;
}

/** Until one value of the stubs is refuted by the check's own assertion. Undefined: nothing can be replaced. */
export async function onStubs({ check, trees, on, sources, base }: Trials): Promise<StubOutcome | undefined> {
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
export const hadNoTime = ({ tests, command }: Verdict): boolean =>
  [tests.reason, command?.reason].includes(NO_TIME_LEFT);

export function whyNoMore(stubs: StubOutcome | undefined): string {
  if (!stubs)
    return `no stubs can be made: beside the files that the check names there is no function of ${STUB_LANGUAGES} to replace`;
  const where = `where ${stubs.bodies} functions of ${stubs.files} files are stubs`;
  if (stubs.status === "passed") return `it passes ${where}, so it does not look at what the code does`;
  if (stubs.status === "unknown") return `it could not be executed ${where}: ${stubs.detail}`;
  return `${where} it breaks by ${stubs.detail}, and not by its own assertion`;
}

/** What looks at the text of the code, and not at what it does, notices comments. */
export async function readsText({
  trees,
  on,
  sources,
}: Trials): Promise<{ why: string; outcome: Outcome } | undefined> {
  const tree = await remarkedTree(trees, sources);
  const outcome = tree && (await on(tree)).outcome;
  if (!outcome || outcome.status === "passed") return undefined;
  const why =
    outcome.status === "unknown"
      ? `could not be executed where the source files have more comments and blanks: ${outcome.detail}.`
      : `is red where the source files have more comments and blanks (${outcome.detail}): it looks at the text of the code. Check what the code does.`;
  return { why, outcome };
}
