/** The run comes to an instruction that a lane has: it waits for the lane, joins what it brought, or executes it itself. */
import { defined } from "../../core/defined.ts";
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import { isMergedText, isOfMergedText } from "../../core/make/made-texts.ts";
import { meanwhileWords, staleWords } from "../../core/make/made-words.ts";
import { wordsOf } from "../../core/make/plan-make.ts";
import type { StepReading } from "../../core/make/step-record.ts";
import type { LaneStep } from "../../core/program/ahead.ts";
import type { Instruction } from "../../core/program/program.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { minutesEnding } from "../lifecycle/ending.ts";
import { commitAdopted } from "../make/commit-adopted.ts";
import { adoptAndOffer, layWrites, whyUnproven } from "../make/copy-instruction.ts";
import { type LookedAgain, lookAgain } from "../make/look-again.ts";
import type { StepResult } from "../step-result.ts";
import { readInstruction, startedCommit } from "../steps/open-instruction.ts";
import { AHEAD, TRIED } from "../turn/body-kinds.ts";
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
  const again = await lookAgain(step, inherited, { isExact: true });
  const then = await world.takingAt?.(run.pc);
  const hazard = then && "why" in then ? then.why : hazardOf(step, inherited, again);
  const { readings } = again;
  const workbench = createTurnWorkbench(step, 1);
  const refused = hazard ?? (await layAndOffer(step, { inherited, again, workbench }));
  if (refused !== undefined) return drop(step, { instruction, ahead, why: refused, verdicts: workbench.verdicts });
  await commitJoin(step, { inherited, ahead, readings, workbench });
  return { kind: "done", run: step.state.run };
}

interface Laying {
  inherited: InheritedStep;
  again: LookedAgain;
  workbench: TurnWorkbench;
}

/** Answers why it cannot join. */
async function layAndOffer(step: OpenStep, { inherited, again, workbench }: Laying): Promise<string | undefined> {
  const { conflicts, ranOnOthers } = again;
  // A merged text holds the lines of every lane, whatever each saw when it wrote them.
  const staleTexts = again.staleTexts.filter((path) => !isMergedText(path, step.document.pack.declaration.notes));
  const why = meanwhileWords(conflicts.map(({ path }) => path));
  const problem = await layWrites(step, { ...again, step: inherited, why });
  if (problem !== undefined) return problem;
  if (staleTexts.length > 0) return `its checks or commands ran on other files, and ${staleWords(staleTexts)}`;
  const gathered = await evidenceAhead(step.world, step.state.run, step.state.number);
  const refused = await adoptAndOffer(workbench, { inherited, evidence: gathered });
  if (refused !== undefined || !ranOnOthers) return refused;
  // What its commands read is not known: checks have to run its code on this tree.
  const unproven = whyUnproven(workbench.acceptance());
  return unproven && `its commands ran on other files, and ${unproven}`;
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

/** What the step was shown, and what it changed, that is another one now. Lines of several steps are joined in some texts. */
function hazardOf({ document }: OpenStep, { record }: InheritedStep, again: LookedAgain): string | undefined {
  const { notes } = document.pack.declaration;
  const changed = again.changed.filter((each) => !isOfMergedText(each, record, notes));
  const conflicts = again.conflicts.filter(({ path }) => !isMergedText(path, notes));
  const hazards = [...new Set([...changed.map(wordsOf), ...conflicts.map(({ path }) => path)])];
  return hazards.length > 0 ? meanwhileWords(hazards) : undefined;
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

async function commitJoin(step: OpenStep, { ahead, ...joining }: Joining): Promise<void> {
  const { run, instruction } = step.state;
  const { turns, microUsd } = joining.inherited;
  const { lane, base } = ahead;
  await commitAdopted(step, {
    ...joining,
    copied: { run: run.id, instruction: run.pc },
    events: [{ type: "joined", instruction: run.pc, title: instruction?.title ?? "", lane, base, turns }],
    instruction: {
      ...defined(startedCommit(step, run).instruction.set),
      ahead: { ...ahead, state: "joined" },
      turns,
      microUsd,
    },
  });
}
