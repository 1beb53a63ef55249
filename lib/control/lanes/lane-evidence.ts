/** Evidence that a lane gathers: it is the run's when the step joins, and others do not see it before. */
import type { Evidence } from "../../core/evidence/evidence.ts";
import type { Run } from "../../core/run/run.ts";
import { asksForEvidence } from "../evidence/step-evidence.ts";
import { readEntry } from "../turn/journal.ts";
import type { World } from "../world.ts";

/** In the order in which it was gathered. */
export async function evidenceAhead(
  { registry, files }: Pick<World, "registry" | "files">,
  run: Run,
  instruction: number,
): Promise<Evidence[]> {
  if (!asksForEvidence(run)) return [];
  const turns = (await registry.aheadTurns(run.id, instruction)).filter(({ state }) => state === "committed");
  const entries = await Promise.all(turns.map((turn) => readEntry(files, turn)));
  return entries.flatMap(({ effects }) => effects?.evidence ?? []);
}

/** What the run had when the lane took its instruction, and what the lane has gathered since. */
export async function evidenceInLane(world: Pick<World, "registry" | "files">, lane: Run) {
  const own = await evidenceAhead(world, lane, lane.pc);
  return {
    add: (evidence: Evidence[]): unknown => own.push(...evidence),
    read: async (): Promise<Evidence[]> => {
      const before = await world.registry.evidence(lane.id);
      return [...before.filter(({ instruction }) => instruction <= lane.packed), ...own];
    },
  };
}
