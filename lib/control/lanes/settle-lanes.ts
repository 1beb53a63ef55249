/** No lane of a run that stops keeps a reservation: a call in flight may be charged, so it counts as spent. */
import { lanesOf, type Run } from "../../core/run/run.ts";
import { compareAndSet } from "../../registry/compare-and-set.ts";
import type { World } from "../world.ts";

/** Answers the run as it is then. */
export async function settleLanes({ registry }: Pick<World, "registry">, run: Run): Promise<Run> {
  if (lanesOf(run) === 1) return run;
  for (let lane = 2; lane <= lanesOf(run); lane += 1) {
    await compareAndSet(
      async () => {
        const now = (await registry.run(run.id)) ?? run;
        const own = await registry.lane(now, lane);
        const isSettled = !own || own.reservedTokens + own.reservedMicroUsd === 0;
        return isSettled || (await registry.settleLane(now, own)) || undefined;
      },
      () => new Error(`Lane ${lane} of run ${run.id} keeps changing; its call in flight could not be settled.`),
    );
  }
  return (await registry.run(run.id)) ?? run;
}
