/** The recorded inputs of a turn, in a replay. */
import type { TurnInputs } from "../../core/turn/turn.ts";
import type { OpenStep } from "./open-step.ts";

type Place = Pick<OpenStep, "world" | "state">;

/** Undefined: nothing is replayed, or this turn was not recorded. */
export function recordedInputs({ world, state }: Place, turn: number): TurnInputs | undefined {
  const inputs = world.inputsFor?.({ instruction: state.number, turn }, UNRECORDED);
  return inputs === UNRECORDED ? undefined : inputs;
}

const UNRECORDED: TurnInputs = { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1 };

/** In a replay: the step had no more turns than it has now. */
export const isPlayedToEnd = ({ world, state }: Place): boolean =>
  world.inputsFor !== undefined &&
  recordedInputs({ world, state }, (state.entries.at(-1)?.turn.turn ?? 0) + 1) === undefined;
