/** What the model reads of a check that was executed. Pure. */
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { checkText, type Proof, wasProof } from "../../core/evidence/evidence.ts";
import { gradeWords } from "../../core/evidence/grade-words.ts";
import { scoreWords } from "../../core/evidence/mutants/score.ts";
import { oneLine } from "../../core/text/cut.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";

export function proofResult(proof: Proof): ProveResult {
  const { requirement, check, grade, reason, base, stubs, work, kept, mutants } = proof;
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
    ...(mutants ? [`with one small change of the code each: ${scoreWords(mutants)}`] : []),
  ];
  const first = wasProof(proof)
    ? `${requirement} is ${kept ? "kept, shown" : "proven"} by ${checkText(check)}, grade E${grade}${reason === undefined ? "" : `: ${reason}`}.`
    : `Evidence of grade E${grade} for ${requirement} is noted, and does not prove it: ${reason}.${adviceOn(proof)}`;
  return { ok: true, text: [first, ...lines].join("\n"), finding: `${kept ? "kept, " : ""}${gradeWords(proof)}` };
}

function adviceOn({ mutants, noStubs, check }: Proof): string {
  if (noStubs !== undefined || isOfDocuments(check)) return "";
  return mutants
    ? " Add tests that fail where the code is changed so: boundaries, both outcomes, exact results. Then call prove again."
    : " Assert on results that only the implementation can give, then call prove again.";
}
