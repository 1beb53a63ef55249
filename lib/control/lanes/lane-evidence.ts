/** Evidence that a lane gathers: it is the run's when the step joins, and others do not see it before. */
import { asDeclared, type Evidence } from "../../core/evidence/evidence.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import type { Run } from "../../core/run/run.ts";
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

/** What the run had at its pack. What the instruction after it has replaced since is as it was. */
export async function evidenceAtPack({ registry }: Pick<World, "registry">, { id, packed }: Run): Promise<Evidence[]> {
  const all = await registry.evidence(id);
  const isLater = ({ instruction }: Evidence): boolean => instruction > packed;
  return all.flatMap((found) => {
    if (isLater(found)) return [];
    const each = (found.metIn ?? 0) > packed ? asDeclared(found) : found;
    const by = all.find(({ requirement, n }) => requirement === each.requirement && n === each.replacedBy);
    if (!by || !isLater(by)) return [each];
    const { replacedBy: _replacedBy, ...before } = each;
    return [before];
  });
}

/** What the run had when the lane took its instruction, and what the lane has gathered since. */
export async function evidenceInLane(
  world: Pick<World, "registry" | "files">,
  lane: Run,
  before: Evidence[] | undefined,
) {
  const own = await evidenceAhead(world, lane, lane.pc);
  return {
    add: (evidence: Evidence[]): unknown => own.push(...evidence),
    read: async (): Promise<Evidence[]> => [...(before ?? (await evidenceAtPack(world, lane))), ...own],
  };
}
