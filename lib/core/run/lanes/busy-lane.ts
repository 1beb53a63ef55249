/** A lane that executes an instruction now: for those who watch. Pure. */
import * as z from "zod";
import { count } from "../../count.ts";
import type { LaneStep } from "../../program/ahead.ts";
import { money, pluralize, span } from "../../text/format.ts";

export const BusyLane = z.object({
  lane: count.describe("1 is the run itself, which goes through its program in order."),
  instruction: count,
  title: z.string(),
  turns: count.describe("How many it has taken."),
  microUsd: count.describe("What they cost."),
  since: z.string().optional().describe("When the instruction began."),
  from: count.optional().describe("The run has come to what this lane executes or has finished, and takes it over."),
});
export type BusyLane = z.infer<typeof BusyLane>;

/** `2 Greet in German · 1 turn · 12s · $0.01` */
export const busyWords = (lane: BusyLane, now: number): string =>
  `${lane.instruction} ${lane.title} · ${doingWords(lane, now)}`;

export function doingWords({ turns, microUsd, since, from }: BusyLane, now: number): string {
  if (from !== undefined) return `joins from lane ${from}`;
  const time = since === undefined ? [] : [span(now - Date.parse(since))];
  const cost = microUsd > 0 ? [money(microUsd)] : [];
  return [pluralize(turns, "turn"), ...time, ...cost].join(" · ");
}

interface Step {
  number: number;
  title: string;
  ahead?: LaneStep | undefined;
}

/** What a lane finished and has not joined yet, and what it did in vain. Undefined: nothing. */
export function aheadWords({ ahead }: Pick<Step, "ahead">): string | undefined {
  if (ahead?.state === "finished") return `finished in lane ${ahead.lane}, joins in its turn`;
  if (ahead?.state !== "dropped") return undefined;
  const why = ahead.why === undefined ? "" : `: ${ahead.why}`;
  return `lane ${ahead.lane}'s work was dropped${why}; the run executes the instruction itself`;
}

export const aheadIn = (steps: Step[]): string[] =>
  steps.flatMap((step) => {
    const words = aheadWords(step);
    return words === undefined ? [] : [`${step.number} ${step.title}: ${words}`];
  });
