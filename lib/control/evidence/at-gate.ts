/** Evidence at the gate of an instruction: what was proven must hold on the tree that is offered. */
import { isDocument, isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { type Documents, documentOutcome } from "../../core/evidence/documents/document-outcome.ts";
import {
  type Evidence,
  isAmended,
  isProof,
  isRed,
  isTooWeak,
  isUnmet,
  type Outcome,
  onFiles,
  wasProof,
} from "../../core/evidence/evidence.ts";
import {
  type EvidenceFindings,
  type ExecutedEvidence,
  type MetCheck,
  replacementOf,
} from "../../core/evidence/gate-evidence.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { outcomeOf } from "../../core/evidence/outcome.ts";
import type { RequirementParts } from "../../core/evidence/requirement-parts.ts";
import type { Waiver } from "../../core/evidence/standing.ts";
import { standingOfRequirement } from "../../core/evidence/standing.ts";
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
  /** Of a run with an examiner. */
  examined?: ExaminedAtGate | undefined;
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
  const isAsked = changed.length > 0 || input.examined !== undefined;
  const files = isAsked && input.evidence.length > 0 ? await input.files() : undefined;
  const evidence = input.evidence.map((each) => (files ? onFiles(each, (path) => files.get(path)) : each));
  const executed: ExecutedEvidence[] = [];
  const tree = files && hashOfFiles(files);
  const isCodeChanged = changed.some((path) => !isDocument(path));
  const isStale = (each: Evidence): boolean =>
    changed.length > 0 && (isCodeChanged || isOfDocuments(each.check)) && (each.again ?? each.work).tree !== tree;
  for (const each of standingOf(evidence).filter(isStale))
    if (!isUnmet(each)) executed.push({ evidence: each, outcome: await execute(each, verdict, input) });
  const met: EvidenceFindings["met"] = [];
  for (const each of unmetNow(input, evidence, verdict)) {
    // The same work shows the same of it.
    if (isTooWeak(each) && each.work.tree === tree) continue;
    const found = await input.examined?.meet(each, verdict);
    if (!found) continue;
    executed.push({ evidence: each, outcome: found.outcome });
    if (found.set) met.push({ evidence: each, set: found.set });
  }
  const now = evidence.map((each) => asFound(each, { executed, met, tree }));
  const isHeld = (held: Evidence): boolean =>
    wasProof(held) &&
    !isUnmet(held) &&
    !isAmended(held) &&
    !input.waivers.some(({ requirement }) => requirement === held.requirement);
  const broken = executed.filter(({ outcome }) => isRed(outcome));
  const replaced = broken.flatMap(({ evidence: each }) => {
    const by = replacementOf(each, evidence, instruction);
    const holds = by && !broken.some((other) => other.evidence === by);
    return holds ? [{ evidence: each, by: by.n }] : [];
  });
  const red = broken.filter(({ evidence: each }) => isHeld(each) && !replaced.some((other) => other.evidence === each));
  const unproven = unprovenOf({ ...input, evidence: now }, changed);
  return { executed, replaced, red, unproven, evidence, tree, met, ...(input.examined ? { isExamined: true } : {}) };
}

export interface ExaminedAtGate {
  /** It is the last instruction: what others left unmet is looked at too. */
  isLast: boolean;
  /** Green at this gate, though the instruction does not serve its requirement: no later gate may look at it. */
  isMetBeside: (evidence: Evidence, verdict: Verdict) => boolean;
  /** Requirements that an instruction after this one serves: theirs is not the last word. */
  later: ReadonlySet<string>;
  meet: (evidence: Evidence, verdict: Verdict) => Promise<{ outcome: Outcome; set?: MetCheck }>;
}

/** What the instruction is to meet, or has met beside that. A check that was amended is not the examiner's any more. */
function unmetNow({ examined, served, waivers }: EvidenceAtGate, evidence: Evidence[], verdict: Verdict): Evidence[] {
  if (!examined) return [];
  return standingOf(evidence).filter(
    (each) =>
      isUnmet(each) &&
      !each.changed &&
      (examined.isLast || served.includes(each.requirement) || examined.isMetBeside(each, verdict)) &&
      !waivers.some(({ requirement }) => requirement === each.requirement),
  );
}

function asFound(
  each: Evidence,
  { executed, met, tree = "" }: Pick<EvidenceFindings, "executed" | "met" | "tree">,
): Evidence {
  const found = isUnmet(each) ? executed.find(({ evidence }) => evidence === each) : undefined;
  if (!found) return each;
  const again = { ...found.outcome, tree, instruction: each.instruction };
  return { ...each, ...met.find(({ evidence }) => evidence === each)?.set, again };
}

/**
 * Last, because what is red otherwise comes first. A requirement without evidence is refused once, and noted then. What is
 * too weak is noted alone: those who write the code cannot mend it.
 */
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
    ...(evidence.unproven.some((each) => !each.isTooWeak) && !isInsisted ? (["requirements"] as const) : []),
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
  { evidence, served, waivers, parts, examined }: EvidenceAtGate,
  changed: readonly string[],
): EvidenceFindings["unproven"] {
  const lost = standingOf(evidence).filter(
    (each) =>
      each.changed && !each.constraint && wasProof(each) && each.files?.some(({ path }) => changed.includes(path)),
  );
  const due = served.filter((requirement) => !examined?.later.has(requirement));
  const asked = new Set([...due, ...lost.map(({ requirement }) => requirement)]);
  return [...asked].flatMap((requirement) => {
    const own = standingOf(evidence).filter((each) => each.requirement === requirement);
    const isOnlyWeak = examined !== undefined && own.some(isTooWeak) && !own.some(isAmended);
    if (own.some(isProof) && !own.some(isAmended)) return [];
    const isExamined = examined !== undefined;
    const standing = standingOfRequirement(requirement, { evidence, waivers, isDelivered: false, parts, isExamined });
    return standing.state === "unproven"
      ? [{ requirement, why: standing.why, ...(isOnlyWeak ? { isTooWeak: true } : {}) }]
      : [];
  });
}
