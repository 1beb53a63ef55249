/** A lane gives up its instruction: the run executes it when it comes to it. */
import type { LaneStep } from "../../core/program/ahead.ts";
import type { Run } from "../../core/run/run.ts";
import type { World } from "../world.ts";

export function dropStep({ registry }: Pick<World, "registry">, lane: Run, why: string): Promise<Run> {
  const ahead: LaneStep = { lane: lane.lane ?? 0, base: lane.packed, state: "dropped", why };
  return registry.commit(lane, {
    run: { pc: 0, turn: 0, reservedMicroUsd: 0, reservedTokens: 0, ...lostReservation(lane) },
    instruction: { number: lane.pc, set: { ahead, status: "waiting" } },
    events: [{ type: "dropped", instruction: lane.pc, lane: ahead.lane, why }],
  });
}

const lostReservation = ({ microUsd, reservedMicroUsd, inputTokens, reservedTokens }: Run) => ({
  microUsd: microUsd + reservedMicroUsd,
  inputTokens: inputTokens + reservedTokens,
});
