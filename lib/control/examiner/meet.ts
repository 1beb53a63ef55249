/** Executes a check of the examiner on the work: once it is green, what it shows is its grade. */
import { defined } from "../../core/defined.ts";
import {
  checkText,
  type Evidence,
  type EvidenceCheck,
  isUndecided,
  OF_EXAMINER,
  type Outcome,
  onFiles,
  type Proof,
  wasProof,
} from "../../core/evidence/evidence.ts";
import type { MetCheck } from "../../core/evidence/gate-evidence.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { testPaths } from "../../core/evidence/outcome.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import { type ProofInput, proveAny } from "../evidence/given.ts";

/** The check of the examiner that these tests belong to, if it is as the examiner wrote it. */
export function checkOfExaminer(
  ofRequirement: Evidence[],
  { tests }: EvidenceCheck,
  hashes: ReadonlyMap<string, string>,
): Evidence | undefined {
  if (!tests) return undefined;
  const named = testPaths({ tests });
  return standingOf(ofRequirement).find(
    (each) =>
      each.instruction === OF_EXAMINER &&
      onFiles(each, (path) => hashes.get(path)).changed !== true &&
      named.every((path) => testPaths(each.check).includes(path)),
  );
}

/** What was met is executed again by the gate, and needs no second look. */
export function metBefore({ requirement, check, grade, metIn }: Evidence): ProveResult {
  const when = metIn === undefined ? "" : `, since instruction ${metIn}`;
  const text = `${requirement} is proven by ${checkText(check)}, the check of the examiner, grade E${grade}${when}. It was not executed now: the gate executes it again.`;
  return { ok: true, text, finding: "proven before" };
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
  const proved = await proveAny(input, { requirement, text, check, earlier: evidence, independent: true });
  if (!("proof" in proved)) {
    const { text: why } = proved.result;
    const failed: Outcome = { status: "failed", detail: why.split("\n", 1)[0] ?? "", output: why };
    // What could not be executed is looked at again by the next gate.
    const { outcome = failed } = proved;
    return { result: proved.result, outcome: outcome.status === "unknown" ? outcome : failed };
  }
  const metIn = input.state.number;
  const { grade, reason = "", needed, noStubs, stubs, mutants, work } = proved.proof;
  return {
    result: { ...proved.result, text: metWords(proved.proof, proved.result.text) },
    outcome: work,
    set: {
      grade,
      reason,
      work,
      metIn,
      again: { ...work, instruction: metIn },
      ...defined({ needed, noStubs, stubs, mutants }),
    },
  };
}

/** The model that reads it cannot change the check. */
function metWords(proof: Proof, said: string): string {
  const { requirement, check, grade, reason } = proof;
  if (wasProof(proof)) return said.replace(/^.*?(?= is proven)/, `${requirement}, by the examiner,`);
  const shown = `${requirement}: your work passes ${checkText(check)}, the check of the examiner, grade E${grade}. ${isUndecided(proof) ? "It is not known yet whether that proves it" : "That does not prove it"}: ${reason}.`;
  return isUndecided(proof) ? shown : `${shown} ${NOT_YOURS}`;
}

const NOT_YOURS = "The check is locked, and not yours to mend: go on with the work.";
