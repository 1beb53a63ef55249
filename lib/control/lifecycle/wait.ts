/** A timed wait: the run says on what it waits and until when. One that would outlast its minutes ends it instead. */
import type { EventBody } from "../../core/run/event.ts";
import type { Run, RunReason } from "../../core/run/run.ts";
import { moment } from "../../core/text/format.ts";
import { dueAfter } from "../../registry/claim.ts";
import type { World } from "../world.ts";
import type { Ending } from "./ending.ts";

export interface Wait {
  reason: Extract<RunReason, "rate_limited" | "evaluator_not_ready" | "daily">;
  why: string;
  seconds: number;
  /** What else is noted with it. */
  run?: Partial<Run>;
  events?: EventBody[];
}

export async function beginWait(world: World, run: Run, wait: Wait): Promise<Run> {
  const now = world.clock.now();
  const waitUntil = new Date(now + wait.seconds * 1_000).toISOString();
  return world.registry.commit(run, {
    run: {
      ...wait.run,
      status: "waiting",
      reason: wait.reason,
      detail: wait.why,
      waitUntil,
      dueAt: dueAfter(now, wait.seconds * 1_000),
    },
    events: [...(wait.events ?? []), { type: "waiting", why: wait.why, until: waitUntil }],
  });
}

/** Undefined where there is time enough. A wait counts as time under computation, from the mark on. */
export function outlastsMinutes(world: World, run: Run, { why, seconds }: Pick<Wait, "why" | "seconds">) {
  const { activeMs, markedAt, options } = run;
  const { minutes } = options.budget;
  const until = world.clock.now() + seconds * 1_000;
  if (minutes === undefined || activeMs + until - (markedAt ?? until) <= minutes * 60_000) return undefined;
  const detail = `${sentence(why)} Waiting until ${moment(until)} would take longer than what is left of ${minutes} minutes.`;
  return { status: "partial", reason: "minutes", detail } satisfies Ending;
}

const sentence = (why: string): string => (/[.!?…]$/.test(why) ? why : `${why}.`);
