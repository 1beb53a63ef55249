/** Switches to the next model of the run's list until the instruction is done. */
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { currentModelIndex, modelAfter, modelPatch } from "../../core/turn/model-fallback.ts";
import type { World } from "../world.ts";
import { commitRun, type StepState } from "./step-state.ts";

export interface ModelSwitch {
  why: string;
  /** Written in the same transaction. */
  run?: Partial<Run>;
  events?: EventBody[];
}

/** False: there is no other model. */
export async function switchToNextModel(world: World, state: StepState, change: ModelSwitch): Promise<boolean> {
  const { run, number } = state;
  const next = modelAfter(run);
  if (!next) return false;
  const { model: from } = run.profile;
  await commitRun(world, state, {
    run: { ...change.run, ...modelPatch(run, currentModelIndex(run) + 1) },
    events: [
      ...(change.events ?? []),
      { type: "model_changed", instruction: number, turn: run.turn, from, to: next.model, why: change.why },
    ],
  });
  return true;
}
