/** The recorded inputs of a turn, in a replay. */
import type { TurnInputs } from "../../core/turn/turn.ts";
import type { OpenStep } from "./open-step.ts";

/** Undefined: nothing is replayed. A turn that was not recorded opens no conversation. */
export const recordedInputs = ({ world, state }: OpenStep, turn: number): TurnInputs | undefined =>
  world.inputsFor?.({ instruction: state.number, turn }, UNRECORDED);

const UNRECORDED: TurnInputs = { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1 };
