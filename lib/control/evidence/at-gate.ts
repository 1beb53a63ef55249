/** Evidence at the gate of an instruction: what was proven must hold on the tree that is offered. */

import { isDocument, isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { type Documents, documentOutcome } from "../../core/evidence/documents/document-outcome.ts";
import { type Evidence, isProof, isRed, type Outcome, onFiles, wasProof } from "../../core/evidence/evidence.ts";
import { type EvidenceFindings, type ExecutedEvidence, replacementOf } from "../../core/evidence/gate-evidence.ts";
import { outcomeOf } from "../../core/evidence/outcome.ts";
import type { RequirementParts } from "../../core/evidence/requirement-parts.ts";
import type { Waiver } from "../../core/evidence/standing.ts";
import { standingOf, standingOfRequirement } from "../../core/evidence/standing.ts";
import type { Offer } from "../../core/turn/turn.ts";
import type { GateCheck, GateDecision } from "../../core/verdict/gate.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { PathToRevert } from "../files/revert.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import { requestFor } from "./prove.ts";
import { hashOfFiles, type TreeFiles } from "./trees.ts";

export interface EvidenceAtGate {
  /** Of the run so far, this turn's included. */
  evidence: Evidence[];
  /** The requirements that the instruction serves: of those with parts, these. */
  served: readonly string[];
  parts: RequirementParts;
  waivers: readonly Waiver[];
  instruction: number;
  /** Of the tree that is offered. */
  files: () => Promise<TreeFiles>;
  evaluate: (wanted: CheckRequest) => Promise<Verdict>;
  /** The texts of that tree. */
  documents: () => Promise<Documents>;
}

/**
 * What proves nothing, or was waived, holds nothing up. What a check reads is not traced. A change of a file that is no
 * document makes all evidence run again; any change, what is of documents. `verdict`: of the gate, which ran all tests.
 */
async function judgeEvidence(
  input: EvidenceAtGate,
  { verdict, changed }: { verdict: Verdict; changed: readonly string[] },
): Promise<EvidenceFindings> {
  const { instruction } = input;
  const files = changed.length > 0 && input.evidence.length > 0 ? await input.files() : undefined;
  const evidence = input.evidence.map((each) => (files ? onFiles(each, (path) => files.get(path)) : each));
  const executed: ExecutedEvidence[] = [];
  let tree: string | undefined;
  const isCodeChanged = changed.some((path) => !isDocument(path));
  const open = standingOf(evidence).filter(({ check }) => isCodeChanged || isOfDocuments(check));
  if (files && open.length > 0) {
    tree = hashOfFiles(files);
    for (const each of open.filter(({ again, work }) => (again ?? work).tree !== tree))
      executed.push({ evidence: each, outcome: await execute(each, verdict, input) });
  }
  const isHeld = (held: Evidence): boolean =>
    wasProof(held) && !input.waivers.some(({ requirement }) => requirement === held.requirement);
  const broken = executed.filter(({ outcome }) => isRed(outcome));
  const replaced = broken.flatMap(({ evidence: each }) => {
    const by = replacementOf(each, evidence, instruction);
    const holds = by && !broken.some((other) => other.evidence === by);
    return holds ? [{ evidence: each, by: by.n }] : [];
  });
  const red = broken.filter(({ evidence: each }) => isHeld(each) && !replaced.some((other) => other.evidence === each));
  return { executed, replaced, red, unproven: unprovenOf({ ...input, evidence }, changed), evidence, tree };
}

/** Last, because what is red otherwise comes first. A requirement without evidence is refused once, and noted then. */
export async function decideWithEvidence(
  decision: GateDecision,
  { ask, offers }: { ask: () => Promise<EvidenceAtGate | undefined>; offers: Offer[] },
  { verdict, changes }: { verdict: Verdict; changes: PathToRevert[] },
): Promise<{ decision: GateDecision; evidence?: EvidenceFindings }> {
  const asked = decision.accepted ? await ask() : undefined;
  if (!asked) return { decision };
  const changed = changes.flatMap(({ now, before }) => [now, before].flatMap((file) => (file ? [file.path] : [])));
  const evidence = await judgeEvidence(asked, { verdict, changed });
  const isInsisted = offers.some(({ blocking }) => blocking.includes("requirements"));
  const blocking: GateCheck[] = [
    ...(evidence.red.length > 0 ? (["evidence"] as const) : []),
    ...(evidence.unproven.length > 0 && !isInsisted ? (["requirements"] as const) : []),
  ];
  return { decision: blocking.length > 0 ? { accepted: false, blocking } : decision, evidence };
}

/** The gate ran the tests of this very tree; what it does not name is run by itself. */
async function execute(
  { check }: Evidence,
  verdict: Verdict,
  { evaluate, documents }: EvidenceAtGate,
): Promise<Outcome> {
  if (isOfDocuments(check)) return documentOutcome(check, await documents());
  const known = check.tests ? outcomeOf(check, verdict) : undefined;
  return known?.status === "passed" ? known : outcomeOf(check, await evaluate(requestFor(check)));
}

/** What the instruction serves, and what was proven by a check that it changed. */
function unprovenOf(
  { evidence, served, waivers, parts }: EvidenceAtGate,
  changed: readonly string[],
): EvidenceFindings["unproven"] {
  const lost = standingOf(evidence).filter(
    (each) => each.changed && wasProof(each) && each.files?.some(({ path }) => changed.includes(path)),
  );
  const asked = new Set([...served, ...lost.map(({ requirement }) => requirement)]);
  return [...asked].flatMap((requirement) => {
    const isProven = standingOf(evidence).some((each) => each.requirement === requirement && isProof(each));
    if (isProven) return [];
    const standing = standingOfRequirement(requirement, { evidence, waivers, isDelivered: false, parts });
    return standing.state === "unproven" ? [{ requirement, why: standing.why }] : [];
  });
}
