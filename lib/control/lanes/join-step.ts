/** Offers the step that a lane executed, where the run comes to its instruction; while the lane is at it, the run waits. */
import { defined } from "../../core/defined.ts";
import type { LaneStep } from "../../core/program/ahead.ts";
import { isEnded, lanesOf, type Run } from "../../core/run/run.ts";
import { isMergedText, isOfMergedText } from "../../core/step/merged-text.ts";
import { meanwhileWords, staleWords, wordsOf } from "../../core/step/reasons.ts";
import type { Step } from "../../core/step/step.ts";
import { type LookedAgain, lookAgain } from "../adopt/look-again.ts";
import type { Decided, Offer, StepSource } from "../adopt/step-source.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { minutesEnding } from "../lifecycle/ending.ts";
import { readInstruction, startedCommit } from "../steps/open-instruction.ts";
import { AHEAD } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { Invocation, World } from "../world.ts";
import { idleSeconds } from "./execute-lane.ts";
import { endingOf, endWithLanes } from "./hold-ending.ts";
import { isHeard } from "./is-heard.ts";
import { evidenceAhead } from "./lane-evidence.ts";
import { restOfWait, upTo } from "./lane-wait.ts";

async function waitFor(world: World, run: Run, lane: number): Promise<Offer> {
  const rest = restOfWait(world, run, await world.registry.lane(run, lane));
  const waitSeconds = Math.max(idleSeconds(world), upTo(rest));
  return { done: { kind: "answer", answer: { next: "wait", waitSeconds, awaits: lane } } };
}

export const offerOfLane: StepSource = async (world, run, invocation) => {
  if (lanesOf(run) === 1) return undefined;
  const instruction = await world.registry.instruction(run.id, run.pc);
  const { ahead } = instruction ?? {};
  // The run has begun it itself.
  if (!ahead || run.turn > 0) return undefined;
  if (ahead.state === "taken") return awaitLane(world, run, { ahead, invocation });
  if (ahead.state !== "finished") return undefined;
  const usedUp = minutesEnding(world, run);
  if (usedUp) return { done: await endWithLanes(world, run, usedUp) };
  const opened = await readInstruction(world, run, invocation);
  if (!enoughTimeToApply(opened.state, invocation)) return { done: { kind: "answer", answer: { next: "execute" } } };
  const step = await readBody(world.files, { key: ahead.body ?? "", hash: ahead.sha256 ?? "" }, AHEAD);
  const again = await lookAgain(opened, step, { isExact: true });
  const then = await world.recorded?.takingAt(run.pc);
  const hazard = then && "why" in then ? then.why : hazardOf(opened, step, again);
  const { lane, base } = ahead;
  const passed = (why: string): Decided => ({
    set: { ahead: { ...ahead, state: "dropped", why } },
    events: [{ type: "dropped", instruction: run.pc, lane, why }],
  });
  if (hazard !== undefined) return { refused: { opened, passed, why: hazard } };
  const { turns, microUsd } = step;
  const { readings, conflicts, ranOnOthers } = again;
  return {
    step: {
      opened,
      step,
      readings,
      conflicts,
      reasons: ranOnOthers ? ["its commands ran on other files"] : [],
      evidence: await evidenceAhead(world, run, run.pc),
      passed,
      adopted: {
        copied: { run: run.id, instruction: run.pc },
        events: [{ type: "joined", instruction: run.pc, title: instruction?.title ?? "", lane, base, turns }],
        instruction: {
          ...defined(startedCommit(opened, run).instruction.set),
          ahead: { ...ahead, state: "joined" },
          turns,
          microUsd,
        },
      },
    },
  };
};

/** A lane that was not heard of for longer than an invocation takes has lost its instruction. */
async function awaitLane(
  world: World,
  run: Run,
  { ahead, invocation }: { ahead: LaneStep; invocation: Invocation },
): Promise<Offer> {
  const { registry } = world;
  const lane = await registry.lane(run, ahead.lane);
  if (lane?.pc !== run.pc) {
    // It has ended since the instruction was read.
    const now = await registry.instruction(run.id, run.pc);
    return now?.ahead?.state === "taken" ? waitFor(world, run, now.ahead.lane) : offerOfLane(world, run, invocation);
  }
  const isOfEpoch = lane.epoch === run.epoch;
  if (isEnded(lane.status) && isOfEpoch) return { done: await endWithLanes(world, run, endingOf(lane)) };
  const usedUp = minutesEnding(world, run);
  if (usedUp) return { done: await endWithLanes(world, run, usedUp) };
  // In an epoch that has just begun, the lane may not have looked yet.
  const mayAnswer = !isOfEpoch || isHeard(world, lane);
  return mayAnswer || !(await registry.dropLane(run, lane)) ? waitFor(world, run, ahead.lane) : undefined;
}

/** What the step was shown, and what it changed, that is another one now. Lines of several steps are joined in some texts. */
function hazardOf({ document }: OpenStep, { record }: Step, again: LookedAgain): string | undefined {
  const { notes } = document.pack.declaration;
  const changed = again.changed.filter((each) => !isOfMergedText(each, record, notes));
  const conflicts = again.conflicts.filter(({ path }) => !isMergedText(path, notes));
  const hazards = [...new Set([...changed.map(wordsOf), ...conflicts.map(({ path }) => path)])];
  if (hazards.length > 0) return meanwhileWords(hazards);
  // A merged text holds the lines of every lane, whatever each saw when it wrote them.
  const stale = again.staleTexts.filter((path) => !isMergedText(path, notes));
  return stale.length > 0 ? `its checks or commands ran on other files, and ${staleWords(stale)}` : undefined;
}
