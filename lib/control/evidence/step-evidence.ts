/** The evidence of a run as a turn sees it: what was gathered before, and what the turn adds. */

import { defined } from "../../core/defined.ts";
import {
  asDeclared,
  type Evidence,
  type EvidenceCheck,
  evidenceName,
  isUnmet,
  OF_EXAMINER,
  type Proof,
  wasProof,
} from "../../core/evidence/evidence.ts";
import { asksForEvidence, hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { EvidenceFindings, MetCheck } from "../../core/evidence/gate-evidence.ts";
import { partsOf, smallestParts } from "../../core/evidence/requirement-parts.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { ProveResult } from "../../core/turn/workbench.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { EvidenceUpdate } from "../../registry/commit.ts";
import { examinedAtGate } from "../examiner/at-gate.ts";
import { declare } from "../examiner/declare.ts";
import { checkOfExaminer, meet, metBefore } from "../examiner/meet.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { World } from "../world.ts";
import type { EvidenceAtGate } from "./at-gate.ts";
import { documentsNow } from "./by-documents.ts";
import { proveAny, proveByAuthor } from "./given.ts";
import type { AskedProof, ProofAttempt } from "./prove.ts";
import { isConstraintOf, proveConstraint } from "./prove-constraint.ts";
import { refusalOf } from "./refuse-proof.ts";
import { treesOf } from "./trees.ts";

export interface StepEvidence {
  prove(asked: { requirement: string; check: EvidenceCheck }): Promise<ProveResult>;
  /** What a lane, or the step of another run, gathered for this one becomes evidence of the run, under the next free numbers. */
  adopt(evidence: Evidence[]): Promise<void>;
  /** Gathered so far, this turn's included. */
  standing(): Promise<Evidence[]>;
  /** For the gate. Undefined: the run asks for none. */
  atGate(): Promise<EvidenceAtGate | undefined>;
  /** Gathered in this turn, in order. */
  gathered(): Evidence[];
  /** Earlier evidence of which something new is known. */
  found(): EvidenceUpdate[];
  /** Checks of the examiner that the work meets: the gate executed them, whatever it decided. */
  noteMet(findings: Pick<EvidenceFindings, "met">): void;
  /** The gate accepted: what it found is recorded. */
  noteAccepted(findings: EvidenceFindings): void;
}

/** What an instruction gathered that was skipped afterwards does not count. */
export async function standingEvidence(
  { registry }: Pick<World, "registry">,
  runId: string,
  current?: number,
): Promise<Evidence[]> {
  const evidence = await registry.evidence(runId);
  if (evidence.length === 0) return evidence;
  const accepted = (await registry.instructions(runId)).filter(({ status }) => status === "accepted");
  const counts = (instruction: number): boolean =>
    instruction === OF_EXAMINER || instruction === current || accepted.some(({ number }) => number === instruction);
  return evidence
    .filter(({ instruction }) => counts(instruction))
    .map((each) => (counts(each.metIn ?? OF_EXAMINER) ? each : asDeclared(each)));
}

export function createStepEvidence(step: OpenStep, evaluate: (wanted: CheckRequest) => Promise<Verdict>): StepEvidence {
  const { world, state, context } = step;
  const gathered = new Map<string, Evidence>();
  const updates = new Map<string, EvidenceUpdate["set"]>();
  let before: Evidence[] | undefined;
  let calls = 0;
  const add = (each: Evidence, set: EvidenceUpdate["set"]): void => {
    updates.set(evidenceName(each), { ...updates.get(evidenceName(each)), ...set });
  };
  const updated = (each: Evidence): Evidence => ({ ...each, ...updates.get(evidenceName(each)) });
  const all = async (): Promise<Evidence[]> => {
    before ??= await standingEvidence(world, state.run.id, state.number);
    return [...before, ...gathered.values()].map(updated);
  };

  const nextNumber = (requirement: string): Promise<number> => nextNumberOf(step, requirement, [...gathered.values()]);
  const take = (made: Evidence, known: Evidence[]): void => {
    for (const each of known) if (isOvertaken(each, made)) add(each, { replacedBy: made.n });
    gathered.set(evidenceName(made), made);
  };

  return {
    gathered: () => [...gathered.values()].map(updated),
    found: () => foundIn(before ?? [], updates),
    async prove(asked) {
      const refusal = refusalOf(step, asked, calls);
      if (refusal) return refusal;
      calls += 1;
      const text = context.requirements.find(({ id }) => id === asked.requirement)?.text ?? "";
      const known = await all();
      const ofRequirement = known.filter(isOf(asked.requirement));
      const proved = await attempt(step, { ...asked, text, evaluate, ofRequirement, known });
      if ("met" in proved) add(proved.met, proved.set);
      if ("proof" in proved) take(evidenceOf(step, proved.proof, await nextNumber(asked.requirement)), known);
      return proved.result;
    },
    async adopt(evidence) {
      for (const each of evidence) {
        const { again: _again, changed: _changed, replacedBy: _replacedBy, delivered: _delivered, ...kept } = each;
        take({ ...kept, n: await nextNumber(each.requirement) }, await all());
      }
    },
    standing: all,
    async atGate() {
      if (!asksForEvidence(state.run)) return undefined;
      return gateInput(step, await all(), evaluate);
    },
    noteMet({ met }) {
      for (const { evidence, set } of met) add(evidence, set);
    },
    noteAccepted({ evidence: now, executed, replaced, met, tree = "" }) {
      for (const each of changedSince([...(before ?? []), ...gathered.values()], now))
        add(each, defined({ changed: each.changed }));
      for (const { evidence, by } of replaced) add(evidence, { replacedBy: by });
      for (const { evidence, outcome } of executed)
        add(evidence, { again: { ...outcome, tree, instruction: state.number } });
      for (const { evidence, set } of met) add(evidence, set);
    },
  };
}

/** Whose check is another than was known, or the known one again. */
function changedSince(known: Evidence[], now: Evidence[]): Evidence[] {
  const before = new Map(known.map((each) => [evidenceName(each), each.changed]));
  return now.filter((each) => each.changed !== before.get(evidenceName(each)));
}

interface Attempt extends Omit<AskedProof, "earlier"> {
  evaluate: (wanted: CheckRequest) => Promise<Verdict>;
  ofRequirement: Evidence[];
  known: Evidence[];
}

/** What names the check of an examiner asks whether the work meets it now. */
async function attempt(
  step: OpenStep,
  { evaluate, ofRequirement, known, ...asked }: Attempt,
): Promise<ProofAttempt | { met: Evidence; set: MetCheck; result: ProveResult }> {
  const { world, state, document, context } = step;
  const input = { world, state, evaluate, isOfTexts: isOfTexts(step), given: document.tests ?? [], known };
  const earlier = ofRequirement.findLast((each) => isEarlierProof(each, state.number));
  if (isConstraintOf(document, context.requirements, asked.requirement)) return proveConstraint(input, asked);
  if (step.examines) return declare(input, asked);
  if (!hasExaminer(state.run)) return proveAny(input, { ...asked, earlier });
  const examiners = checkOfExaminer(ofRequirement, asked.check, (await treesOf(step)).work);
  if (!examiners) return proveByAuthor(input, { ...asked, earlier });
  if (!isUnmet(examiners)) return { result: metBefore(examiners) };
  const { result, set } = await meet(input, { evidence: examiners, text: asked.text });
  return set ? { met: examiners, set, result } : { result };
}

function foundIn(before: Evidence[], updates: Map<string, EvidenceUpdate["set"]>): EvidenceUpdate[] {
  return before.flatMap((each) => {
    const set = updates.get(evidenceName(each));
    return set ? [{ of: { requirement: each.requirement, n: each.n }, set }] : [];
  });
}

async function nextNumberOf(
  { world: { registry }, state }: OpenStep,
  requirement: string,
  gathered: Evidence[],
): Promise<number> {
  return [...(await registry.evidence(state.run.id)), ...gathered].filter(isOf(requirement)).length + 1;
}

async function gateInput(
  step: OpenStep,
  evidence: Evidence[],
  evaluate: EvidenceAtGate["evaluate"],
): Promise<EvidenceAtGate> {
  const { world, state, context } = step;
  const parts = partsOf(context.requirements);
  const others = await otherInstructions(step);
  const named = new Set(others.flatMap(({ requirements }) => requirements));
  return {
    evidence,
    served: smallestParts(state.instruction?.requirements ?? [], { parts, others: named }),
    parts,
    waivers: (await world.registry.run(state.run.id))?.waivers ?? [],
    instruction: state.number,
    ...(hasExaminer(state.run) ? { examined: examinedAtGate(step, others, evaluate) } : {}),
    files: async () => (await treesOf(step)).work,
    documents: async () => documentsNow(step, (await treesOf(step)).work),
    evaluate,
  };
}

const otherInstructions = async ({ world, state }: OpenStep): Promise<Instruction[]> =>
  (await world.registry.instructions(state.run.id)).filter(({ number }) => number !== state.number);

const isOf =
  (requirement: string) =>
  (each: Evidence): boolean =>
    each.requirement === requirement;

const isEarlierProof = (each: Evidence, current: number): boolean => wasProof(each) && each.instruction < current;

/** The same check again, whatever it shows now, or a weaker one of the same instruction. The examiner has one of each. */
const isOvertaken = (each: Evidence, made: Evidence): boolean =>
  each.requirement === made.requirement &&
  each.replacedBy === undefined &&
  !(each.independent && !made.independent) &&
  (made.instruction === OF_EXAMINER ||
    JSON.stringify(each.check) === JSON.stringify(made.check) ||
    (each.instruction === made.instruction && each.grade < made.grade));

/** Of one instruction, in the order in which it was gathered. */
export const withoutOvertaken = (evidence: Evidence[]): Evidence[] =>
  evidence.filter(
    (each, at) => each.replacedBy === undefined && !evidence.slice(at + 1).some((later) => isOvertaken(each, later)),
  );

function evidenceOf({ world, state }: OpenStep, proof: Proof, n: number): Evidence {
  const turn = state.pending?.turn.turn ?? 0;
  return { ...proof, n, instruction: state.number, turn, at: new Date(world.clock.now()).toISOString() };
}

const isOfTexts = ({ document }: OpenStep): boolean => !document.pack.declaration.checks.tests;
