/** A lane that cannot go on keeps its instruction and what it did of it: the run ends as it did once it comes to it. */
import type { Run } from "../../core/run/run.ts";
import { chargeLostReservation } from "../../registry/lost-reservation.ts";
import type { Ending } from "../lifecycle/ending.ts";
import type { World } from "../world.ts";

export function haltLane(
  { registry }: Pick<World, "registry">,
  lane: Run,
  { status, reason, detail, neededMicroUsd }: Pick<Ending, "status" | "reason" | "detail" | "neededMicroUsd">,
): Promise<Run> {
  return registry.commit(lane, {
    run: {
      status,
      detail,
      ...chargeLostReservation(lane),
      ...(reason ? { reason } : {}),
      ...(neededMicroUsd === undefined ? {} : { neededMicroUsd }),
    },
    events: [{ type: "halted", instruction: lane.pc, lane: lane.lane ?? 0, turns: lane.turn, why: detail }],
  });
}
