/** What lanes did of a run, as its journal has it: for replays. */
import { defined } from "../../core/defined.ts";
import type { Run } from "../../core/run/run.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { firstAttemptOf } from "../../registry/lanes/take-step.ts";
import type { RecordedAhead, World } from "../world.ts";

/** What lanes executed, by the pack on which they did, in the order of the program. */
export async function recordedAheads({ registry }: Pick<World, "registry">, run: Run) {
  const found: (RecordedAhead & { base: number })[] = [];
  for (const { number: instruction, ahead } of await registry.instructions(run.id)) {
    if (!ahead || ahead.state === "taken") continue;
    const { lane, base, why } = ahead;
    const { length: turns } = (await registry.aheadTurns(run.id, instruction)).filter(
      ({ state }) => state === "committed",
    );
    found.push({ instruction, lane, base, turns, ...defined({ why }) });
  }
  return found;
}

export async function turnsAhead(
  { registry }: Pick<World, "registry">,
  { id }: Run,
  aheads: RecordedAhead[],
): Promise<Turn[]> {
  const turns = await Promise.all(aheads.map(({ instruction }) => registry.aheadTurns(id, instruction)));
  return turns.flat();
}

/** Attempts of lanes are numbered apart. */
export const isInLane = ({ attempt }: Turn): boolean => attempt >= firstAttemptOf(1);
