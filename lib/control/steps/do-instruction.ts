/** Executes the instruction at the program counter, in a fresh model context, until the gate accepts it. */
import type { HandlerAnswer } from "../../core/program/advance.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import { settleOffer } from "../adopt/adopt.ts";
import type { StepSource } from "../adopt/step-source.ts";
import { awaitLanes, endWithLanes, holdStuck } from "../lanes/hold-ending.ts";
import { offerOfLane } from "../lanes/join-step.ts";
import { replayAhead } from "../lanes/replay-ahead.ts";
import { endRun } from "../lifecycle/ending.ts";
import { offerOfOtherRun } from "../make/other-run.ts";
import type { StepResult } from "../step-result.ts";
import { type ConversationResult, converse } from "../turn/converse.ts";
import type { Invocation, World } from "../world.ts";
import { openAgain, openInstruction } from "./open-instruction.ts";
import { onStuckInstruction } from "./stop-or-skip.ts";

/** Where a finished step may come from, in this order; if from none of them, the model executes the instruction. */
const SOURCES: StepSource[] = [offerOfLane, offerOfOtherRun];

export async function doInstruction(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  if (lanesOf(run) > 1) {
    await replayAhead(world, run, invocation);
    const held = await awaitLanes(world, run);
    if (held) return held;
  }
  for (const source of SOURCES) {
    const offer = await source(world, run, invocation);
    if (offer) return settleOffer(offer);
  }
  const open = (await hasBegun(world, run, invocation)) ? openAgain : openInstruction;
  const step = await open(world, run, invocation);
  const { state } = step;
  const result = await converse(step);
  if (result.kind === "done") return { kind: "done", run: state.run };
  if (result.kind === "stuck") {
    const held = await holdStuck(world, state, result.cause);
    if (held) return held;
    return { kind: "done", run: await onStuckInstruction(world, state, result.cause) };
  }
  if (result.kind === "end") return endWithLanes(world, state.run, result.ending);
  return { kind: "answer", answer: await interrupted(result, { world, run: state.run, again: { next: "execute" } }) };
}

/** Since the run has waited in this lane, and for no other: for a reservation that other lanes hold, say. */
async function hasBegun({ registry }: World, { id, pc }: Run, { waits = 0 }: Invocation): Promise<boolean> {
  if (waits === 0) return false;
  const instruction = await registry.instruction(id, pc);
  return instruction?.status === "running" && instruction.ahead === undefined;
}

type Interruption = Extract<ConversationResult, { kind: "wait" | "end" | "out_of_time" }>;

/** The answer of a handler whose conversation did not come to its end. `again`: with a new invocation. */
export async function interrupted(
  result: Interruption,
  { world, run, again }: { world: World; run: Run; again: HandlerAnswer },
): Promise<HandlerAnswer> {
  if (result.kind === "out_of_time") return again;
  if (result.kind === "wait") return { next: "wait", waitSeconds: result.seconds };
  await endRun(world, run, result.ending);
  return { next: "stop" };
}
