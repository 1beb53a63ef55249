/** When an instruction is stuck: stops the run with the evidence, or begins to skip the instruction, as the user chose. */
import type { Run } from "../../core/run/run.ts";
import { describeStuck, type StuckCause, stuckReason } from "../../core/turn/stuck.ts";
import { endRun } from "../lifecycle/ending.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";

/** Answers the run after it; `advance` says what comes next. */
export async function stopOrSkipStuckInstruction(
  world: World,
  { run, number, instruction, entries }: StepState,
  cause: StuckCause,
): Promise<Run> {
  const counted = entries.filter(({ turn }) => turn.turn > run.forgivenTurn);
  const trap = stuckReason({ kind: cause.kind, detail: cause.detail }, counted);
  const onTrap = run.options.onTrap ?? "stop";
  const title = instruction?.title ?? "";
  const noted = {
    instruction: { number, set: { status: "trapped" as const, trap } },
    events: [{ type: "trapped" as const, instruction: number, turn: run.turn, title, trap, onTrap }],
  };
  if (onTrap === "skip") return world.registry.commit(run, { run: { skipping: true }, ...noted });
  const detail = `Instruction ${number} (${title}): ${describeStuck(trap)}.`;
  return endRun(world, run, { status: "partial", reason: "trapped", detail, noted });
}
