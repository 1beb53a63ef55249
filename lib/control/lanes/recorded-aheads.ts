/** What lanes did of a run, as its journal has it: for replays. */
import { defined } from "../../core/defined.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import type { Turn } from "../../core/turn/turn.ts";
import type { Recorded, RecordedAhead } from "../recorded.ts";
import type { World } from "../world.ts";

/** What lanes executed, by the pack on which they did, in the order of the program. */
async function recordedAheads({ registry }: Pick<World, "registry">, run: Run) {
  const found: (RecordedAhead & { base: number })[] = [];
  for (const { number: instruction, ahead } of lanesOf(run) > 1 ? await registry.instructions(run.id) : []) {
    if (!ahead) continue;
    const { lane, base, why } = ahead;
    const { length: turns } = (await registry.aheadTurns(run.id, instruction)).filter(
      ({ state, outcome }) => state === "committed" && outcome !== "unused",
    );
    // What a lane has only begun is replayed as far as it is.
    if (ahead.state === "taken" && turns === 0) continue;
    found.push({ instruction, lane, base, turns, ...defined({ why }) });
  }
  return found;
}

/** A replay executes them where the run was at that pack. */
export async function aheadsOf(world: Pick<World, "registry">, run: Run): Promise<Recorded["aheadAt"]> {
  const aheads = await recordedAheads(world, run);
  return (base) => aheads.filter((each) => each.base === base);
}

/** By the pack on which they were executed. */
export async function turnsAhead(world: Pick<World, "registry">, run: Run): Promise<Map<number, Turn[]>> {
  const turns = new Map<number, Turn[]>();
  for (const { instruction, base } of await recordedAheads(world, run)) {
    const own = await world.registry.aheadTurns(run.id, instruction);
    const executed = own.filter(({ outcome }) => outcome !== "unused");
    turns.set(base, [...(turns.get(base) ?? []), ...executed]);
  }
  return turns;
}
