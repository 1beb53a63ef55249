/** Executes a check of the examiner on the work: once it is green, what it shows is its grade. */
import { defined } from "../../core/defined.ts";
import {
  checkText,
  type Evidence,
  type EvidenceCheck,
  isUnmet,
  type Outcome,
  onFiles,
} from "../../core/evidence/evidence.ts";
import type { MetCheck } from "../../core/evidence/gate-evidence.ts";
import { testPaths } from "../../core/evidence/outcome.ts";
import { standingOf } from "../../core/evidence/standing.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import { type ProofInput, proveAny } from "../evidence/given.ts";

/** The check of the examiner that these tests belong to, if it is as the examiner wrote it. */
export function unmetBy(
  ofRequirement: Evidence[],
  { tests }: EvidenceCheck,
  hashes: ReadonlyMap<string, string>,
): Evidence | undefined {
  if (!tests) return undefined;
  const named = testPaths({ tests });
  return standingOf(ofRequirement).find(
    (each) =>
      isUnmet(each) &&
      onFiles(each, (path) => hashes.get(path)).changed !== true &&
      named.every((path) => testPaths(each.check).includes(path)),
  );
}

interface Meeting {
  result: ProveResult;
  outcome: Outcome;
  /** It is green. */
  set?: MetCheck;
}

/** All of it, as it was written. `text`: what the requirement says. */
export async function meet(
  input: ProofInput,
  { evidence, text }: { evidence: Evidence; text: string },
): Promise<Meeting> {
  const { requirement, check } = evidence;
  const proved = await proveAny(input, { requirement, text, check, earlier: evidence });
  if (!("proof" in proved)) {
    const { text: why } = proved.result;
    return { result: proved.result, outcome: { status: "failed", detail: why.split("\n", 1)[0] ?? "", output: why } };
  }
  const { grade, reason = "", noStubs, stubs, work } = proved.proof;
  const said = proved.result.text.replace(/^.*?(?= is proven)/, `${requirement}, by the examiner,`);
  return {
    result: { ...proved.result, text: said === "" ? checkText(check) : said },
    outcome: work,
    set: { grade, reason, work, metIn: input.state.number, ...defined({ noStubs, stubs }) },
  };
}
