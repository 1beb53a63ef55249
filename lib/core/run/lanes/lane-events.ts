/** Events of lanes: what they do of instructions that the run has not come to yet. */
import * as z from "zod";
import { count } from "../../count.ts";
import { baseWords } from "../../program/ahead.ts";
import { pluralize } from "../../text/format.ts";

const step = { instruction: count, lane: count };

const outcome = { ...step, title: z.string(), base: count, turns: count };

export const laneEvents = [
  z
    .object({ type: z.literal("finished"), ...outcome })
    .describe("A lane finished an instruction ahead of the run, on the files after instruction `base`."),
  z
    .object({ type: z.literal("joined"), ...outcome })
    .describe("The run came to an instruction that a lane had finished, and took its changes over."),
  z
    .object({ type: z.literal("dropped"), ...step, why: z.string() })
    .describe("What a lane did of an instruction cannot join: the run executes the instruction itself."),
  z
    .object({ type: z.literal("halted"), ...step, turns: count, why: z.string() })
    .describe("A lane cannot go on with its instruction. What it did is kept, and it goes on when the run is resumed."),
] as const;

export type LaneEvent = z.infer<(typeof laneEvents)[number]>;

const TYPES: ReadonlySet<string> = new Set<LaneEvent["type"]>(["finished", "joined", "dropped", "halted"]);
export const isOfLane = <Event extends { type: string }>(event: Event): event is Event & LaneEvent =>
  TYPES.has(event.type);

export function laneWords(event: LaneEvent): string {
  const { instruction, lane } = event;
  switch (event.type) {
    case "finished":
      return `instruction ${instruction} is finished in lane ${lane}, ${baseWords(event.base)} (${pluralize(event.turns, "turn")})`;
    case "joined":
      return `instruction ${instruction} joins from lane ${lane}`;
    case "dropped":
      return `lane ${lane}'s work was dropped: ${event.why}; the run executes instruction ${instruction} itself`;
    case "halted":
      return `instruction ${instruction} stops in lane ${lane}, and ${pluralize(event.turns, "turn")} of it ${event.turns === 1 ? "is" : "are"} kept: ${event.why}`;
  }
}
