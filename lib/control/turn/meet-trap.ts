/** An instruction is trapped: the run stops with the evidence, or begins to skip it, as the user chose. */
import type { Run } from "../../core/run/run.ts";
import { type Trap, trapOf, trapWords } from "../../core/turn/trap.ts";
import { endRun } from "../lifecycle/ending.ts";
import type { World } from "../world.ts";
import type { InstructionState } from "./instruction-state.ts";

/** Answers the run as it stands then: `advance` says what is next. */
export async function meetTrap(
  world: World,
  { run, number, instruction, entries }: InstructionState,
  why: Pick<Trap, "kind" | "detail">,
): Promise<Run> {
  const counted = entries.filter(({ turn }) => turn.turn > run.forgivenTurn);
  const trap = trapOf({ kind: why.kind, detail: why.detail }, counted);
  const onTrap = run.options.onTrap ?? "stop";
  const title = instruction?.title ?? "";
  const noted = {
    instruction: { number, set: { status: "trapped" as const, trap } },
    events: [{ type: "trapped" as const, instruction: number, turn: run.turn, title, trap, onTrap }],
  };
  if (onTrap === "skip") return world.registry.commit(run, { run: { skipping: true }, ...noted });
  const detail = `Instruction ${number} (${title}): ${trapWords(trap)}.`;
  return endRun(world, run, { status: "partial", reason: "trapped", detail, noted });
}
