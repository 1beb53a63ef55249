/** Asks the next model of the run's list from now on, until the instruction is done. */
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { asking, currentModelIndex, modelAfter } from "../../core/turn/fallback.ts";
import type { World } from "../world.ts";
import type { InstructionState } from "./instruction-state.ts";

export interface ModelSwitch {
  why: string;
  /** Noted in the same transaction. */
  run?: Partial<Run>;
  events?: EventBody[];
}

/** False where there is none. */
export async function switchToNextModel(world: World, state: InstructionState, asked: ModelSwitch): Promise<boolean> {
  const { run, number } = state;
  const next = modelAfter(run);
  if (!next) return false;
  const { model: from } = run.profile;
  state.run = await world.registry.commit(run, {
    run: { ...asked.run, ...asking(run, currentModelIndex(run) + 1) },
    events: [
      ...(asked.events ?? []),
      { type: "model_changed", instruction: number, turn: run.turn, from, to: next.model, why: asked.why },
    ],
  });
  return true;
}
