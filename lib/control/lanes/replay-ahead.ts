/** In a replay: executes what lanes executed on the latest pack, one instruction after the other. */
import type { Run } from "../../core/run/run.ts";
import type { RecordedAhead } from "../recorded.ts";
import { openInstruction } from "../steps/open-instruction.ts";
import { converse } from "../turn/converse.ts";
import type { Invocation, World } from "../world.ts";
import { dropStep } from "./drop-step.ts";
import { laneWorld } from "./lane-world.ts";
import { takeStep } from "./take-step.ts";

export async function replayAhead(world: World, run: Run, invocation: Invocation): Promise<void> {
  for (const recorded of world.recorded?.aheadAt(run.packed) ?? [])
    await replayStep(world, run, { recorded, invocation });
}

async function replayStep(
  world: World,
  run: Run,
  { recorded, invocation }: { recorded: RecordedAhead; invocation: Invocation },
): Promise<void> {
  const { instruction: number, lane, turns, why = "the journal ends here" } = recorded;
  const instruction = await world.registry.instruction(run.id, number);
  const taken = instruction && !instruction.ahead && (await takeStep(world, run, { lane, instruction }));
  if (!taken) return;
  const step = await openInstruction(await laneWorld(world, taken), taken, invocation);
  const { state } = step;
  await converse(step, () => state.entries.length >= turns);
  // What it finished, it does not have any more.
  if (state.run.pc !== 0) await dropStep(world, state.run, why);
}
