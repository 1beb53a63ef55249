/** A lane that executes an instruction now: for those who watch. Pure. */
import * as z from "zod";
import { money, pluralize, span } from "../../text/format.ts";

const count = z.number().int().nonnegative();

export const BusyLane = z.object({
  lane: count.describe("1 is the run itself, which goes through its program in order."),
  instruction: count,
  title: z.string(),
  turns: count.describe("How many it has taken."),
  microUsd: count.describe("What they cost."),
  since: z.string().optional().describe("When the instruction began."),
});
export type BusyLane = z.infer<typeof BusyLane>;

/** `2 · Greet in German · 1 turn · 12s · $0.01` */
export function busyWords({ instruction, title, turns, microUsd, since }: BusyLane, now: number): string {
  const time = since === undefined ? [] : [span(now - Date.parse(since))];
  const cost = microUsd > 0 ? [money(microUsd)] : [];
  return [`${instruction} ${title}`, pluralize(turns, "turn"), ...time, ...cost].join(" · ");
}
