/** Events of lanes: what they do of instructions that the run has not come to yet. */
import * as z from "zod";
import { pluralize } from "../text/format.ts";

const count = z.number().int().nonnegative();
const step = { instruction: count, lane: count };

export const laneEvents = [
  /** Its gate accepted it, on the pack that the lane took it on. */
  z.object({ type: z.literal("finished"), ...step, title: z.string(), base: count, turns: count }),
  /** The run came to it, and its changes are part of the run. */
  z.object({ type: z.literal("joined"), ...step, title: z.string(), base: count, turns: count }),
  /** The run executes the instruction itself. */
  z.object({ type: z.literal("dropped"), ...step, why: z.string() }),
] as const;

type LaneEvent = z.infer<(typeof laneEvents)[number]>;

export function laneWords(event: LaneEvent): string {
  const { instruction, lane } = event;
  switch (event.type) {
    case "finished":
      return `instruction ${instruction} is finished in lane ${lane}, on the files after instruction ${event.base} (${pluralize(event.turns, "turn")})`;
    case "joined":
      return `instruction ${instruction} joins from lane ${lane}`;
    case "dropped":
      return `instruction ${instruction} is executed again, without lane ${lane}: ${event.why}`;
  }
}
