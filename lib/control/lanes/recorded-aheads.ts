/** What lanes did of a run, as its journal has it: for replays. */
import { defined } from "../../core/defined.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { firstAttemptOf } from "../../registry/lanes/take-step.ts";
import type { RecordedAhead, TurnAddress, World } from "../world.ts";

/** What lanes executed, by the pack on which they did, in the order of the program. */
async function recordedAheads({ registry }: Pick<World, "registry">, run: Run) {
  const found: (RecordedAhead & { base: number })[] = [];
  for (const { number: instruction, ahead } of lanesOf(run) > 1 ? await registry.instructions(run.id) : []) {
    if (!ahead || ahead.state === "taken") continue;
    const { lane, base, why } = ahead;
    const { length: turns } = (await registry.aheadTurns(run.id, instruction)).filter(
      ({ state }) => state === "committed",
    );
    found.push({ instruction, lane, base, turns, ...defined({ why }) });
  }
  return found;
}

/** A replay executes them where the run was at that pack. */
export async function aheadsOf(world: Pick<World, "registry">, run: Run): Promise<Pick<World, "aheadAt">> {
  if (lanesOf(run) === 1) return {};
  const aheads = await recordedAheads(world, run);
  return { aheadAt: (base) => aheads.filter((each) => each.base === base) };
}

/** By the pack on which they were executed. */
export async function turnsAhead(world: Pick<World, "registry">, run: Run): Promise<Map<number, Turn[]>> {
  const turns = new Map<number, Turn[]>();
  for (const { instruction, base } of await recordedAheads(world, run)) {
    const own = await world.registry.aheadTurns(run.id, instruction);
    turns.set(base, [...(turns.get(base) ?? []), ...own]);
  }
  return turns;
}

/** Where a turn is, in a lane or not. */
export const laneAddress = ({ lane = 0, instruction, turn }: TurnAddress & { lane?: number }): string =>
  `${lane > 0 ? "ahead " : ""}${instruction}.${turn}`;

/** Attempts of lanes are numbered apart. */
export const isInLane = ({ attempt }: Turn): boolean => attempt >= firstAttemptOf(1);
