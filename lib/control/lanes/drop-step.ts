/** A lane gives up its instruction: the run executes it when it comes to it. An answer whose calls were not run is paid for, and counts. */
import type { LaneStep } from "../../core/program/ahead.ts";
import type { Run } from "../../core/run/run.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { chargeLostReservation } from "../../registry/lost-reservation.ts";
import { turnEvent } from "../turn/turn-events.ts";
import type { World } from "../world.ts";

export async function dropStep({ registry }: Pick<World, "registry">, lane: Run, why: string): Promise<Run> {
  const ahead: LaneStep = { lane: lane.lane ?? 0, base: lane.packed, state: "dropped", why };
  const answered = (await registry.aheadTurns(lane.id, lane.pc)).find(({ state }) => state === "answered");
  const unused: Turn | undefined = answered && { ...answered, state: "committed", outcome: "unused", changes: [] };
  return registry.commit(lane, {
    ...(unused ? { turn: unused } : {}),
    run: {
      pc: 0,
      turn: 0,
      ...chargeLostReservation(lane),
      ...(unused ? { turns: lane.turns + 1 } : {}),
    },
    instruction: { number: lane.pc, set: { ahead, status: "waiting" } },
    events: [
      ...(unused ? [turnEvent(unused, [], { contextTokens: unused.contextTokens ?? 0 })] : []),
      { type: "dropped", instruction: lane.pc, lane: ahead.lane, why },
    ],
  });
}
