/** Executes instructions ahead of the run in a lane of its own, each on the pack that was the latest when the lane took it. */
import { Cancelled, Damaged, Fenced, NotReady } from "../../core/errors.ts";
import { LANES } from "../../core/limits.ts";
import type { HandlerAnswer } from "../../core/program/advance.ts";
import { isForAllLanes } from "../../core/run/lanes/held-ending.ts";
import { isEnded, type Run, waitsForPerson } from "../../core/run/run.ts";
import { minutesEnding } from "../lifecycle/ending.ts";
import type { HandlerInput } from "../lifecycle/with-run.ts";
import { openAgain, openInstruction } from "../steps/open-instruction.ts";
import { converse } from "../turn/converse.ts";
import type { Invocation, World } from "../world.ts";
import { dropStep } from "./drop-step.ts";
import { findAhead, hasMoreAhead, hasRoomAhead, isReadyForLanes } from "./find-ahead.ts";
import { haltLane } from "./halt-lane.ts";
import { lookAgain, restOfWait } from "./lane-wait.ts";
import { laneWorld } from "./lane-world.ts";
import { takeStep } from "./take-step.ts";

const STOP: HandlerAnswer = { next: "stop" };
const idle = (waitSeconds: number): HandlerAnswer => ({ next: "wait", waitSeconds });

/** Only what the run accepts makes an instruction ready. */
const awaitRun = (world: World, times?: number): HandlerAnswer => ({ ...idle(idleSeconds(world, times)), awaits: 1 });

export async function executeLane(
  world: World,
  { runId, epoch, lane, idle: times = 0 }: HandlerInput & { lane: number },
  invocation: Invocation,
): Promise<HandlerAnswer> {
  const run = await world.registry.run(runId);
  if (run?.epoch !== epoch || run.cancelRequested || run.lanesClosedIn === epoch || isOver(run)) return STOP;
  try {
    return await executeFor(world, { run, lane, times }, invocation);
  } catch (error) {
    if (error instanceof Fenced) return awaitRun(world);
    if (error instanceof Cancelled) return STOP;
    throw error;
  }
}

interface LaneOf {
  run: Run;
  lane: number;
  /** So often in a row it has waited. */
  times: number;
}

async function executeFor(world: World, { run, lane, times }: LaneOf, invocation: Invocation): Promise<HandlerAnswer> {
  let isNew = false;
  try {
    // It goes on with its instruction when the run is resumed.
    const before = await world.registry.lane(run, lane);
    if (before && before.pc > 0 && before.epoch === run.epoch && isEnded(before.status)) return STOP;
    const rest = restOfWait(world, run, before);
    if (rest > 0) return lookAgain(idle(rest), times);
    const kept = await claimed(world, run, lane);
    const own = kept ?? (await take(world, run, lane));
    if (!own && isReadyForLanes(run) && !(await hasMoreAhead(world.registry, run))) return STOP;
    if (!own) return awaitRun(world, times);
    if (!kept) invocation.onTaken?.();
    isNew = !kept;
    const hasWaited = kept !== undefined && times > 0;
    return lookAgain(await execute(world, { own, hasWaited }, invocation), times);
  } catch (error) {
    if (error instanceof Damaged) return giveUp(world, { run, lane, why: error.message });
    // What it waited before it had the instruction does not count.
    if (error instanceof NotReady && isNew && times > 0) return { next: "execute" };
    if (error instanceof NotReady) return awaitEvaluator(world, { run, lane, times }, error);
    throw error;
  }
}

/** The run finds the same when it comes to it, and says so. */
async function giveUp(
  world: World,
  { run, lane, why }: { run: Run; lane: number; why: string },
): Promise<HandlerAnswer> {
  const own = await world.registry.claimLane(run, lane);
  if (own) await dropStep(world, own, why);
  return STOP;
}

const IDLE_SECONDS = 10;
const IDLE_DOUBLINGS = 3;

/** The longer there was nothing to do, the later it looks again. */
export const idleSeconds = ({ pace }: World, times = 0): number =>
  (pace?.laneIdleSeconds ?? IDLE_SECONDS) * 2 ** Math.min(times, IDLE_DOUBLINGS);

/** Within this a lane without an instruction has looked again. */
export const longestIdleSeconds = (world: World): number => idleSeconds(world, IDLE_DOUBLINGS);

/** So many answers of an evaluator that is not ready a lane waits for: then the run waits for it, as long as a run does. */
const NOT_READY_TIMES = 5;

async function awaitEvaluator(
  world: World,
  { run, lane, times }: LaneOf,
  { retryAfterMs, message }: NotReady,
): Promise<HandlerAnswer> {
  const own = await world.registry.lane(run, lane);
  if (own && own.pc > 0 && times < NOT_READY_TIMES) await noteWait(world, own);
  else if (own && own.pc > 0) await dropStep(world, own, `the evaluator is not ready (${message})`);
  return idle(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
}

/** Nothing is left for a lane: the run ends, or delivers, or waits for a person. */
const isOver = (run: Run): boolean =>
  isEnded(run.status) || waitsForPerson(run) || (run.pc > run.instructions && run.instructions > 0);

/** Its instruction from before, if that is still its own. */
async function claimed(world: World, run: Run, lane: number): Promise<Run | undefined> {
  const own = await world.registry.claimLane(run, lane);
  if (!own) return undefined;
  const instruction = await world.registry.instruction(run.id, own.pc);
  const { ahead } = instruction ?? {};
  if (ahead?.lane !== lane || ahead.state !== "taken" || own.pc < run.pc)
    await world.registry.commit(own, { run: { pc: 0 } });
  else if ((own.renewals ?? 0) >= LANE_TRIES)
    await dropStep(world, own, `its lane ended ${LANE_TRIES} times without an answer`);
  else return own;
  return undefined;
}

/** So often an instruction may end its lane in no good order, one time after the other: then the run executes it. */
const LANE_TRIES = 3;

/** What waits, or has no time left, ends in good order. */
const noteWait = async ({ registry }: World, own: Run): Promise<unknown> =>
  own.renewals ? registry.commit(own, { run: { renewals: 0 } }) : undefined;

/** So often it looks again at once: each time another lane was faster, and the next instruction may be free. */
const TRIES = LANES;

async function take(world: World, run: Run, lane: number): Promise<Run | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const now = tries === 0 ? run : await world.registry.run(run.id);
    if (now?.epoch !== run.epoch || !isReadyForLanes(now)) return undefined;
    if ((now.ending && isForAllLanes(now.ending)) || minutesEnding(world, now)) return undefined;
    const instruction = await findAhead(world.registry, now);
    // Asked after that: each lane that was faster is counted.
    if (!instruction || !(await hasRoomAhead(world.registry, now))) return undefined;
    const own = await takeStep(world, now, { lane, instruction });
    if (own) return own;
  }
  return undefined;
}

async function execute(
  world: World,
  { own, hasWaited }: { own: Run; hasWaited: boolean },
  invocation: Invocation,
): Promise<HandlerAnswer> {
  const open = hasWaited ? openAgain : openInstruction;
  const step = await open(await laneWorld(world, own), own, invocation);
  const result = await converse(step);
  switch (result.kind) {
    case "done":
      return { next: "execute" };
    case "wait":
      await noteWait(world, step.state.run);
      return idle(result.seconds);
    case "out_of_time":
      await noteWait(world, step.state.run);
      return { next: "execute" };
    case "stuck":
      await dropStep(world, step.state.run, result.cause.detail);
      return { next: "execute" };
    case "end":
      await haltLane(world, step.state.run, result.ending);
      return STOP;
  }
}
