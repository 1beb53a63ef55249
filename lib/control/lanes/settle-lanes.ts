/** No lane of a run that stops keeps a reservation: a call in flight may be charged, so it counts as spent. */
import { Fenced } from "../../core/errors.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import { compareAndSet } from "../../registry/compare-and-set.ts";
import type { World } from "../world.ts";

type HasRegistry = Pick<World, "registry">;

/** Answers the run as it is then. Throws Fenced when it does not belong to this attempt any more. */
export async function settleLanes(world: HasRegistry, run: Run): Promise<Run> {
  if (lanesOf(run) === 1) return run;
  const { registry } = world;
  for (let lane = 2; lane <= lanesOf(run); lane += 1) {
    await compareAndSet(
      async () => {
        const now = await sameAttempt(world, run);
        const own = await registry.lane(now, lane);
        const isSettled = !own || own.reservedTokens + own.reservedMicroUsd + (own.renewals ?? 0) === 0;
        return isSettled || (await registry.settleLane(now, own)) || undefined;
      },
      () => new Error(`Lane ${lane} of run ${run.id} keeps changing; its call in flight could not be settled.`),
    );
  }
  return sameAttempt(world, run);
}

/** What is written after it is written under the fence of the given run, not of the attempt that has it now. */
async function sameAttempt({ registry }: HasRegistry, { id, epoch, attempt }: Run): Promise<Run> {
  const now = await registry.run(id);
  if (now?.epoch !== epoch || now.attempt !== attempt) throw new Fenced(`Run ${id} moved on.`);
  return now;
}
