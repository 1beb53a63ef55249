/** Whether a requirement is proven on the tree that the last step left. */
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { documentOutcome } from "../../core/evidence/documents/document-outcome.ts";
import { type Evidence, isUnmet, type Outcome, onFiles } from "../../core/evidence/evidence.ts";
import { asksForEvidence, hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { outcomeOf } from "../../core/evidence/outcome.ts";
import { partsOf } from "../../core/evidence/requirement-parts.ts";
import { standingOfRequirement } from "../../core/evidence/standing.ts";
import { INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import type { CheckResult } from "../../core/program/language/condition-text.ts";
import type { Requirement } from "../../core/program/program.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { packBase } from "../files/packs.ts";
import { readBlob } from "../files/verified-read.ts";
import type { Invocation, World } from "../world.ts";
import { documentsOf } from "./by-documents.ts";
import { requestFor } from "./prove.ts";
import { standingEvidence } from "./step-evidence.ts";
import { hashOfFiles, type TreeFiles } from "./trees.ts";

interface AskedRequirement {
  requirement: string;
  invocation: Invocation;
}

/** Undefined: this invocation has not the time for it. */
export async function findProof(
  world: World,
  run: Run,
  { requirement, invocation }: AskedRequirement,
): Promise<CheckResult | undefined> {
  if (!asksForEvidence(run)) return { holds: false, detail: "the run asks for no evidence" };
  const requirements = await world.registry.requirements(run.id);
  if (!requirements.some(({ id }) => id === requirement))
    return { holds: false, detail: "there is no such requirement" };
  const evidence = await evidenceNow(world, run, { requirement, invocation });
  return evidence && ("holds" in evidence ? evidence : resultOf(run, { requirement, requirements, evidence }));
}

interface Found {
  requirement: string;
  requirements: Requirement[];
  evidence: Evidence[];
}

function resultOf(run: Run, { requirement, requirements, evidence }: Found): CheckResult {
  const standing = standingOfRequirement(requirement, {
    evidence,
    waivers: run.waivers,
    isDelivered: false,
    parts: partsOf(requirements),
    isExamined: hasExaminer(run),
  });
  if (standing.state === "proven") return { holds: true, detail: `grade E${standing.grade}` };
  if (standing.state === "waived") return { holds: true, detail: `waived: ${standing.why}` };
  return { holds: false, detail: standing.why };
}

/** Of the requirement and its parts. What was last executed on other files is executed again: not every step has a gate. */
async function evidenceNow(
  world: World,
  run: Run,
  { requirement, invocation }: AskedRequirement,
): Promise<Evidence[] | CheckResult | undefined> {
  const isAsked = (each: Evidence): boolean => `${each.requirement}.`.startsWith(`${requirement}.`);
  const files = new Map((await world.registry.allFiles(run.id)).map(({ path, sha256 }) => [path, sha256]));
  const tree = hashOfFiles(files);
  const evidence = (await standingEvidence(world, run.id))
    .filter(isAsked)
    .map((each) => onFiles(each, (path) => files.get(path)));
  const stale = standingOf(evidence).filter((each) => !isUnmet(each) && (each.again ?? each.work).tree !== tree);
  const found = new Map<Evidence, Outcome>();
  for (const each of stale) {
    const outcome = await execute(world, run, { evidence: each, files, invocation });
    if (!outcome) return found.size === 0 ? undefined : { holds: false, detail: "its checks take too long together" };
    found.set(each, outcome);
  }
  return evidence.map((each) => {
    const outcome = found.get(each);
    return outcome ? { ...each, again: { ...outcome, tree, instruction: run.pc - 1 } } : each;
  });
}

interface Executing {
  evidence: Evidence;
  files: TreeFiles;
  invocation: Invocation;
}

async function execute(
  { evaluator, files: store }: World,
  run: Run,
  { evidence: { check }, files, invocation }: Executing,
): Promise<Outcome | undefined> {
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const sha = files.get(path);
    return sha === undefined ? undefined : readBlob(store, run.id, sha);
  };
  if (isOfDocuments(check)) return documentOutcome(check, documentsOf(files.keys(), read));
  const timeoutMs = evaluationMsOf(run.options);
  if (invocation.remainingMs() < timeoutMs + INVOCATION_RESERVE_MS) return undefined;
  const { tests, command } = requestFor(check);
  const verdict = await evaluator.evaluate(
    {
      runId: run.id,
      base: packBase(store, run),
      changes: [],
      ...(tests ? { tests } : {}),
      ...(command ? { command } : {}),
      install: run.options.install,
      timeoutMs,
    },
    invocation.signal,
  );
  return outcomeOf(check, verdict);
}
