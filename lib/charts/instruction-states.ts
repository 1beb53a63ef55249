/** How far each instruction is, by the turns that are looked at: the picture of an earlier turn shows what was so then. Pure. */
import type { ToldTurn } from "../core/turn/turn.ts";
import type { History, PicturedInstruction } from "./picture.ts";

export const INSTRUCTION_STATES = ["accepted", "unchecked", "begun", "stuck", "skipped", "to come"] as const;
export type InstructionState = (typeof INSTRUCTION_STATES)[number];

/** The first is that of instruction 1. */
export function instructionStates({ program, turns }: Pick<History, "program" | "turns">): InstructionState[] {
  const last = new Map<number, ToldTurn>(turns.map((turn) => [turn.instruction, turn]));
  const latest = turns.at(-1)?.instruction ?? 0;
  return program.instructions.map((instruction, index) =>
    stateOf(instruction, last.get(index + 1), latest > index + 1),
  );
}

function stateOf(
  { status, unchecked = [] }: PicturedInstruction,
  last: ToldTurn | undefined,
  isPassed: boolean,
): InstructionState {
  if (!last) return "to come";
  if (last.outcome === "accepted") return unchecked.length > 0 ? "unchecked" : "accepted";
  if (last.outcome === "discarded" || (isPassed && status === "skipped")) return "skipped";
  return status === "trapped" ? "stuck" : "begun";
}

export const isDone = (state: InstructionState): boolean =>
  state === "accepted" || state === "unchecked" || state === "skipped";
