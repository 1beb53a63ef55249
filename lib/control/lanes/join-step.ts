/** The run comes to an instruction that a lane has: it waits for the lane, joins what it brought, or executes it itself. */
import { defined } from "../../core/defined.ts";
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import { meanwhileWords } from "../../core/make/made-words.ts";
import { wordsOf } from "../../core/make/plan-make.ts";
import type { StepReading, StepWrite } from "../../core/make/step-record.ts";
import type { LaneStep } from "../../core/program/ahead.ts";
import type { Instruction } from "../../core/program/program.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import { sourceLanguageOf } from "../../core/text/source-languages.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { mostEvidence } from "../evidence/fit-evidence.ts";
import { withoutOvertaken } from "../evidence/step-evidence.ts";
import { maskedFiles } from "../files/masked-files.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { minutesEnding } from "../lifecycle/ending.ts";
import { asTurnReadings, layWrites, offer, whyUnproven } from "../make/copy-instruction.ts";
import { isSameReading, readAgain, storedHash, withoutShown } from "../make/readings.ts";
import { baseOf } from "../make/record-step.ts";
import { readInstruction, startedCommit } from "../steps/open-instruction.ts";
import type { StepResult } from "../steps.ts";
import { AHEAD, TRIED } from "../turn/body-kinds.ts";
import { commitTurn } from "../turn/commit-turn.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { createTurnWorkbench, type TurnWorkbench } from "../turn/turn-workbench.ts";
import type { Invocation, World } from "../world.ts";
import { idleSeconds } from "./execute-lane.ts";
import { endingOf, endWithLanes } from "./hold-ending.ts";
import { isHeard } from "./is-heard.ts";
import { evidenceAhead } from "./lane-evidence.ts";
import { withWaitOf } from "./lane-wait.ts";

const waitFor = (world: World, lane: number): StepResult => ({
  kind: "answer",
  answer: { next: "wait", waitSeconds: idleSeconds(world), awaits: lane },
});

/** Undefined: the run executes the instruction. */
export async function joinStep(world: World, run: Run, invocation: Invocation): Promise<StepResult | undefined> {
  const instruction = await world.registry.instruction(run.id, run.pc);
  const { ahead } = instruction ?? {};
  // The run has begun it itself.
  if (!instruction || !ahead || run.turn > 0) return undefined;
  if (ahead.state === "taken")
    return withWaitOf(world, run, { lane: ahead.lane, result: await awaitLane(world, run, { ahead, invocation }) });
  if (ahead.state !== "finished") return undefined;
  const usedUp = minutesEnding(world, run);
  if (usedUp) return endWithLanes(world, run, usedUp);
  const step = await readInstruction(world, run, invocation);
  if (!enoughTimeToApply(step.state, invocation)) return { kind: "answer", answer: { next: "execute" } };
  const inherited = await readBody(world.files, { key: ahead.body ?? "", hash: ahead.sha256 ?? "" }, AHEAD);
  const { hazard, readings, notes } = await hazardsOf(step, inherited);
  const workbench = createTurnWorkbench(step, 1);
  const refused = hazard ?? (await layAndOffer(step, { inherited, readings, notes, workbench }));
  if (refused !== undefined) return drop(step, { instruction, ahead, why: refused, verdicts: workbench.verdicts });
  await commitJoin(step, { inherited, ahead, readings, workbench });
  return { kind: "done", run: step.state.run };
}

interface Laying {
  inherited: InheritedStep;
  readings: StepReading[];
  notes: StepWrite[];
  workbench: TurnWorkbench;
}

/** Answers why it cannot join. */
async function layAndOffer(
  step: OpenStep,
  { inherited, readings, notes, workbench }: Laying,
): Promise<string | undefined> {
  const why = "the notes that it changed were changed meanwhile";
  const problem = await layWrites(step, { step: inherited, readings, conflicts: notes, why });
  if (problem !== undefined) return problem;
  const { ran, base } = inherited.record;
  const now = await baseOf(step);
  const sawAnother = ran !== false && base !== now;
  const texts = sawAnother || (inherited.checkedOn ?? now) !== now ? textsIn(step, inherited) : [];
  if (texts.length > 0)
    return `its checks or commands ran on other files, and no check reads what it wrote to ${texts.join(", ")}`;
  const gathered = await evidenceAhead(step.world, step.state.run, step.state.number);
  const most = mostEvidence(inherited.record.writes.length);
  const evidence = gathered.length > most ? withoutOvertaken(gathered) : gathered;
  if (evidence.length > most)
    return `it gathered ${evidence.length} pieces of evidence, and at most ${most} are taken over at once`;
  await workbench.evidence.adopt(evidence);
  const refused = await offer(workbench, inherited);
  if (refused !== undefined || !sawAnother) return refused;
  // What its commands read is not known: checks have to run its code on this tree.
  const unproven = whyUnproven(workbench.acceptance());
  return unproven && `its commands ran on other files, and ${unproven}`;
}

/** What it wrote that is no source code. The project's notes are of the step alone. */
const textsIn = ({ document }: OpenStep, { record: { writes } }: InheritedStep): string[] =>
  writes.map(({ path }) => path).filter((path) => path !== document.pack.declaration.notes && !isCode(path));

function isCode(path: string): boolean {
  const language = sourceLanguageOf(path);
  return language !== undefined && language.name !== "HTML";
}

/** A lane that was not heard of for longer than an invocation takes has lost its instruction. */
async function awaitLane(
  world: World,
  run: Run,
  { ahead, invocation }: { ahead: LaneStep; invocation: Invocation },
): Promise<StepResult | undefined> {
  const { registry } = world;
  const lane = await registry.lane(run, ahead.lane);
  if (lane?.pc !== run.pc) {
    // It has ended since the instruction was read.
    const now = await registry.instruction(run.id, run.pc);
    return now?.ahead?.state === "taken" ? waitFor(world, now.ahead.lane) : joinStep(world, run, invocation);
  }
  const isOfEpoch = lane.epoch === run.epoch;
  if (isEnded(lane.status) && isOfEpoch) return endWithLanes(world, run, endingOf(lane));
  const usedUp = minutesEnding(world, run);
  if (usedUp) return endWithLanes(world, run, usedUp);
  // In an epoch that has just begun, the lane may not have looked yet.
  const mayAnswer = !isOfEpoch || isHeard(world, lane);
  return mayAnswer || !(await registry.dropLane(run, lane)) ? waitFor(world, ahead.lane) : undefined;
}

/** What the step was shown, and what it changed, as it is on the tree of the run now. */
async function hazardsOf({ world, state, document }: OpenStep, { record }: InheritedStep) {
  const { touched, readings: before, writes } = record;
  const files = { registry: world.registry, runId: state.run.id };
  const work = maskedFiles(state.tree.work);
  const notes = document.pack.declaration.notes;
  const readings: StepReading[] = [];
  for (const reading of before) readings.push(await readAgain(reading, { touched, files, work }));
  // The project's notes are in every prompt, and lines of several steps are joined.
  const isNotes = (path: string): boolean => path === notes;
  const changed = before.filter(
    (each, index) => !(each.kind === "file" && isNotes(each.path)) && !isSameReading(each, readings[index] ?? each),
  );
  const found = await Promise.all(writes.map(({ path }) => storedHash(files, path)));
  const moved = writes.filter(({ was }, index) => found[index] !== was);
  const conflicts = moved.filter(({ path }) => !isNotes(path));
  const hazards = [...new Set([...changed.map(wordsOf), ...conflicts.map(({ path }) => path)])];
  return {
    hazard: hazards.length > 0 ? meanwhileWords(hazards) : undefined,
    readings,
    notes: moved.filter(({ path }) => isNotes(path)),
  };
}

async function drop(
  { world, state }: OpenStep,
  {
    instruction,
    ahead,
    why,
    verdicts,
  }: { instruction: Instruction; ahead: LaneStep; why: string; verdicts: Verdict[] },
): Promise<StepResult> {
  state.tree.discard();
  const { number } = instruction;
  // What the gate found is kept for a replay.
  const { bytes, hash } = bodyOf(TRIED, { verdicts });
  const body = fileStoreKeys(state.run.id).tried(number, state.run.attempt);
  if (verdicts.length > 0) await world.files.put(body, bytes);
  const tried = verdicts.length > 0 ? { tried: { body, sha256: hash } } : {};
  const run = await world.registry.commit(state.run, {
    instruction: { number, set: { ahead: { ...ahead, state: "dropped", why }, ...tried } },
    events: [{ type: "dropped", instruction: number, lane: ahead.lane, why }],
  });
  return { kind: "done", run };
}

interface Joining {
  inherited: InheritedStep;
  ahead: LaneStep;
  readings: StepReading[];
  workbench: TurnWorkbench;
}

async function commitJoin(step: OpenStep, { inherited, ahead, readings, workbench }: Joining): Promise<void> {
  const { world, state } = step;
  const { run, instruction } = state;
  const { turns, microUsd, record } = inherited;
  const { lane, base } = ahead;
  const started = startedCommit(step, run);
  await commitTurn(step, {
    turn: {
      ...{ instruction: run.pc, turn: 1, epoch: run.epoch, attempt: run.attempt, segment: 0 },
      ...{ state: "committed", at: new Date(world.clock.now()).toISOString(), changes: [] },
      copied: { run: run.id, instruction: run.pc },
      ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0, milliseconds: 0 },
    },
    outcome: "accepted",
    effects: {
      inputs: { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 0 },
      ...{
        results: [],
        correction: "",
        verdicts: workbench.verdicts,
        readings: asTurnReadings(record, readings.map(withoutShown)),
      },
      ...(workbench.amendments.length > 0 ? { amendments: workbench.amendments } : {}),
    },
    contextTokens: 0,
    workbench,
    events: [{ type: "joined", instruction: run.pc, title: instruction?.title ?? "", lane, base, turns }],
    run: { turns: run.turns, status: "running" },
    taken: record,
    instruction: {
      ...defined(started.instruction.set),
      status: "accepted",
      ahead: { ...ahead, state: "joined" },
      turns,
      microUsd,
    },
    isNew: true,
  });
}
