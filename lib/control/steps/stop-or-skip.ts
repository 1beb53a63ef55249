/** When an instruction is stuck: splits it once, or stops the run with the evidence, or skips it, as the user chose. */
import { PROGRAM_INSTRUCTIONS, SPLIT_PARTS } from "../../core/limits.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import { describeStuck, type StuckCause, type StuckReason, stuckReason } from "../../core/turn/stuck.ts";
import { withHalted } from "../lanes/hold-ending.ts";
import { endRun } from "../lifecycle/ending.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";

/** Answers the run after it; `advance` says what comes next. */
export async function onStuckInstruction(world: World, state: StepState, cause: StuckCause): Promise<Run> {
  const { run, entries } = state;
  const counted = entries.filter(({ turn }) => turn.turn > run.forgivenTurn);
  const trap = stuckReason({ kind: cause.kind, detail: cause.detail }, counted);
  return canSplit(state, cause) ? beginToSplit(world, state, trap) : stopOrSkip(world, state, trap);
}

/** Into how many instructions it may be split at most. */
export const partsOf = ({ instructions, options }: Run): number =>
  Math.min(SPLIT_PARTS, (options.steps ?? PROGRAM_INSTRUCTIONS) - instructions + 1);

/** Smaller steps help where the model lost its way, not where the server does not answer or the window is too small. */
const canSplit = ({ run, number }: StepState, { kind }: StuckCause): boolean =>
  (kind === "loop" || kind === "turn_cap") &&
  number > (run.split?.last ?? 0) &&
  partsOf(run) >= 2 &&
  // Parts would take the numbers of instructions that lanes are executing.
  lanesOf(run) === 1;

function beginToSplit(world: World, { run, number, instruction }: StepState, trap: StuckReason): Promise<Run> {
  const text = `Instruction ${number} (${instruction?.title ?? ""}) is stuck: ${describeStuck(trap)}. The model is asked to split it.`;
  return world.registry.commit(run, {
    // Marked before it is asked: whatever it answers, it is asked once.
    run: { splitting: true, split: { first: number, last: number }, forgivenTurn: run.turn },
    instruction: { number, set: { trap } },
    events: [{ type: "notice", text }],
  });
}

export async function stopOrSkip(
  world: World,
  { run, number, instruction }: StepState,
  trap: StuckReason,
): Promise<Run> {
  const onTrap = world.recorded?.onStuckAt({ instruction: number, turn: run.turn }) ?? run.options.onTrap ?? "stop";
  const title = instruction?.title ?? "";
  const noted = {
    instruction: { number, set: { status: "trapped" as const, trap } },
    events: [{ type: "trapped" as const, instruction: number, turn: run.turn, title, trap, onTrap }],
  };
  if (onTrap === "skip") return world.registry.commit(run, { run: { skipping: true }, ...noted });
  const detail = `Instruction ${number} (${title}): ${describeStuck(trap)}.`;
  return endRun(world, run, await withHalted(world, run, { status: "partial", reason: "trapped", detail, noted }));
}
