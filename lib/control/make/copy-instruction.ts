/** Takes over a step of another run without a model call, if the gate accepts it on this tree; otherwise it is executed. */
import { defined } from "../../core/defined.ts";
import type { Evidence } from "../../core/evidence/evidence.ts";
import { PATHS_PER_TURN } from "../../core/limits.ts";
import { addCopied } from "../../core/make/copied-steps.ts";
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import { isMergedText } from "../../core/make/made-texts.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { NO_TIME_LEFT } from "../../core/verdict/gate.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { mostEvidence } from "../evidence/fit-evidence.ts";
import { withoutOvertaken } from "../evidence/step-evidence.ts";
import { readBlob } from "../files/verified-read.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { endAtMinutes } from "../lifecycle/ending.ts";
import type { StepResult } from "../step-result.ts";
import { readInstruction, startedCommit } from "../steps/open-instruction.ts";
import { TRIED } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { type Acceptance, createTurnWorkbench, type TurnWorkbench } from "../turn/turn-workbench.ts";
import type { Invocation, World } from "../world.ts";
import type { ChosenStep } from "./choose-step.ts";
import { commitAdopted } from "./commit-adopted.ts";
import { mergeText, type Versions } from "./merge-text.ts";
import { keyOfStep } from "./record-step.ts";
import { laidAt } from "./recorded-takings.ts";
import { type StepSource, sourceOf } from "./step-source.ts";

/** Nothing is committed before the gate has decided: a crash costs its checks at most. */
export async function copyInstruction(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  // A replay is over where its journal ends.
  if (world.takesOverAt?.(run.pc) === false) return { kind: "answer", answer: { next: "stop" } };
  const ended = await endAtMinutes(world, run);
  if (ended) return { kind: "done", run: ended };
  const step = await readInstruction(world, run, invocation);
  if (!enoughTimeToApply(step.state, invocation)) return { kind: "answer", answer: { next: "execute" } };
  const key = keyOfStep(step);
  if (!key) throw new Error(`Instruction ${run.pc} of run ${run.id} has no key.`);
  const source = await sourceOf(step, key);
  const { choice, late } = source;
  if ("why" in choice) return execute(step, source, { why: choice.why });
  const { chosen } = choice;
  const problem = await layWrites(step, chosen);
  if (problem !== undefined) return execute(step, source, { why: problem });
  const workbench = createTurnWorkbench(step, 1);
  const refused = await adoptAndOffer(workbench, {
    inherited: chosen.step,
    evidence: ownEvidence(chosen.step, run.pc),
  });
  if (workbench.verdicts.some(ranOutOfTime) && late !== run.pc) return beginLater(step, source);
  if (refused !== undefined) return execute(step, source, { why: whyRefused(refused, chosen.why), workbench });
  const unproven = chosen.why === "" ? undefined : whyUnproven(workbench.acceptance());
  if (unproven !== undefined) return execute(step, source, { why: `${chosen.why}, and ${unproven}`, workbench });
  await commitCopy(step, source, { chosen, workbench });
  return { kind: "done", run: step.state.run };
}

/** As if its first turn had gathered it. */
const ownEvidence = ({ evidence = [] }: InheritedStep, instruction: number): Evidence[] =>
  evidence.map((each) => ({ ...each, instruction, turn: 1 }));

const ranOutOfTime = ({ syntax, tests, command }: Verdict): boolean =>
  [syntax, tests, command].some((check) => check?.reason === NO_TIME_LEFT);

/** The next invocation has all its time for the checks. Once for each instruction: then what they found counts. */
async function beginLater({ world, state: { run, tree } }: OpenStep, { patchLate }: StepSource): Promise<StepResult> {
  tree.discard();
  await world.registry.commit(run, { run: patchLate, events: [] });
  return { kind: "answer", answer: { next: "execute" } };
}

/** What changed may matter to the code: only code that was run is kept all the same. */
export function whyUnproven(acceptance: Acceptance | undefined): string | undefined {
  const { unchecked = [], verdict } = acceptance ?? {};
  if (unchecked.length > 0) return `not all of it can be checked here (${unchecked.join("; ")})`;
  const hasPassed = verdict?.tests.status === "passed" || verdict?.command?.status === "passed";
  return hasPassed ? undefined : "no check ran its code here";
}

const whyRefused = (refused: string, why: string): string =>
  `${why === "" ? "nothing that it depends on changed" : why}, and the gate refused it here: ${refused}`;

/** Answers why they cannot be laid. */
export async function layWrites(
  step: OpenStep,
  { step: inherited, conflicts, why }: ChosenStep,
): Promise<string | undefined> {
  const { world, state } = step;
  const { writes } = inherited.record;
  if (writes.length > PATHS_PER_TURN)
    return `it changed ${writes.length} files, and at most ${PATHS_PER_TURN} are taken over at once`;
  const blob = (sha: string): Promise<Uint8Array> => readBlob(world.files, state.run.id, sha);
  const deletions = writes.filter(({ sha256 }) => sha256 === null);
  for (const { path } of deletions) {
    if (conflicts.some((each) => each.path === path)) return why;
    const removed = await state.tree.work.remove(path);
    if (typeof removed === "object") return removed.problem;
  }
  const then = await world.takingAt?.(state.number);
  for (const { path, sha256, was } of writes) {
    if (sha256 === null) continue;
    const left = await blob(sha256);
    const isConflict = conflicts.some((each) => each.path === path);
    const now = isConflict ? await state.tree.work.read(path) : undefined;
    const { notes } = step.document.pack.declaration;
    // Two steps that both begin the notes add to nothing.
    const before = was !== null ? await blob(was) : path === notes ? new Uint8Array() : undefined;
    if (isConflict && (now === undefined || before === undefined)) return why;
    const merge = (versions: Versions) => mergeText(versions, isMergedText(path, notes));
    const content = now && before ? ((await laidAt(then, path)) ?? merge({ was: before, left, now })) : left;
    if (!content) return why;
    const problem = await state.tree.work.write(path, content);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What the gate accepted only when it was offered again is offered as often here. */
const OFFERS = 3;

/** With what the step proved. Answers why it was refused. */
export async function adoptAndOffer(
  workbench: TurnWorkbench,
  { inherited, evidence: gathered }: { inherited: InheritedStep; evidence: Evidence[] },
): Promise<string | undefined> {
  const most = mostEvidence(inherited.record.writes.length);
  const evidence = gathered.length > most ? withoutOvertaken(gathered) : gathered;
  if (evidence.length > most)
    return `it gathered ${evidence.length} pieces of evidence, and at most ${most} are taken over at once`;
  await workbench.evidence.adopt(evidence);
  return offer(workbench, inherited);
}

/** Answers why it was refused. */
async function offer(workbench: TurnWorkbench, inherited: InheritedStep): Promise<string | undefined> {
  const { amendments = [], summary, next, insisted } = inherited;
  for (const amendment of amendments) await workbench.amend(amendment);
  let refused: string | undefined;
  for (let offers = insisted ? OFFERS : 1; offers > 0; offers -= 1) {
    const { accepted, note } = await workbench.complete({ summary, ...defined({ next }) });
    if (accepted) return undefined;
    refused = note.refusal ?? note.finding ?? "it is not accepted";
  }
  return refused;
}

async function commitCopy(
  step: OpenStep,
  source: StepSource,
  { chosen, workbench }: { chosen: ChosenStep; workbench: TurnWorkbench },
) {
  const { step: inherited, readings, why } = chosen;
  const { run, instruction } = step.state;
  const { instruction: number, turns, microUsd } = inherited;
  const copied = { run: source.run, instruction: number };
  const started = startedCommit(step, run);
  await commitAdopted(step, {
    inherited,
    readings,
    workbench,
    copied,
    events: [
      ...started.events,
      {
        type: "made",
        instruction: run.pc,
        title: instruction?.title ?? "",
        why,
        decision: why === "" ? "copied" : "kept",
        saved: { turns, microUsd },
        ...(source.isCall ? { from: copied } : {}),
      },
    ],
    run: { ...source.patchTaken, ...(source.isCall ? { copied: addCopied(run.copied, inherited) } : {}) },
    instruction: { ...started.instruction.set, inherited: { ...copied, turns, microUsd }, ...source.set },
  });
}

/** The instruction is executed from its beginning. What the gate found is kept for a replay. */
async function execute(
  { world, state }: OpenStep,
  { patchPassed, isSilent, set, isCall, run: from }: StepSource,
  { why, workbench }: { why: string; workbench?: TurnWorkbench },
): Promise<StepResult> {
  const { run, instruction } = state;
  const { pc: number } = run;
  state.tree.discard();
  const tried = await storeTried(world, state, workbench?.verdicts ?? []);
  const executed = await world.registry.commit(run, {
    run: patchPassed,
    ...(tried || set ? { instruction: { number, set: { ...set, ...defined({ tried }) } } } : {}),
    events: isSilent
      ? []
      : [
          {
            type: "made",
            instruction: number,
            title: instruction?.title ?? "",
            decision: "executed",
            why,
            ...(isCall ? { from: { run: from } } : {}),
          },
        ],
  });
  return { kind: "done", run: executed };
}

/** After those of another source that was tried before. */
async function storeTried(
  { files }: World,
  { run, instruction }: OpenStep["state"],
  found: Verdict[],
): Promise<Instruction["tried"]> {
  if (found.length === 0) return undefined;
  const before = instruction?.tried;
  const { verdicts } = before
    ? await readBody(files, { key: before.body, hash: before.sha256 }, TRIED)
    : { verdicts: [] };
  const { bytes, hash } = bodyOf(TRIED, { verdicts: [...verdicts, ...found] });
  const body = fileStoreKeys(run.id).tried(run.pc, before ? hash.slice(0, HASH_CHARS) : run.attempt);
  await files.put(body, bytes);
  return { body, sha256: hash };
}

const HASH_CHARS = 16;
