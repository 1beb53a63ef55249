/** A timed wait: what the run waits for and until when. A wait beyond the run's minutes ends it instead. */
import type { EventBody } from "../../core/run/event.ts";
import type { Run, RunReason } from "../../core/run/run.ts";
import { moment } from "../../core/text/format.ts";
import { dueAfter } from "../../registry/claim.ts";
import type { Commit } from "../../registry/commit.ts";
import type { World } from "../world.ts";
import type { Ending } from "./ending.ts";

export interface Wait {
  reason: Extract<RunReason, "rate_limited" | "evaluator_not_ready" | "daily" | "repository">;
  why: string;
  seconds: number;
  /** Committed with it. */
  run?: Partial<Run>;
  events?: EventBody[];
}

/** What a run commits when it begins to wait. */
export function waitCommit({ clock }: Pick<World, "clock">, wait: Wait): Commit {
  const now = clock.now();
  const waitUntil = new Date(now + wait.seconds * 1_000).toISOString();
  return {
    run: {
      ...wait.run,
      status: "waiting",
      reason: wait.reason,
      detail: wait.why,
      waitUntil,
      dueAt: dueAfter(now, wait.seconds * 1_000),
    },
    events: [...(wait.events ?? []), { type: "waiting", why: wait.why, until: waitUntil }],
  };
}

/** The ending, if the wait is longer than what is left of the run's minutes: waiting counts as active time. */
export function outlastsMinutes(world: World, run: Run, { why, seconds }: Pick<Wait, "why" | "seconds">) {
  const { activeMs, markedAt, options } = run;
  const { minutes } = options.budget;
  const until = world.clock.now() + seconds * 1_000;
  if (minutes === undefined || activeMs + until - (markedAt ?? until) <= minutes * 60_000) return undefined;
  const detail = `${sentence(why)} Waiting until ${moment(until)} would take longer than what is left of ${minutes} minutes.`;
  return { status: "partial", reason: "minutes", detail } satisfies Ending;
}

const sentence = (why: string): string => (/[.!?…]$/.test(why) ? why : `${why}.`);
