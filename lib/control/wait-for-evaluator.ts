/** The evaluator is not ready: the run says that it waits for it, and until when; beyond its minutes it does not wait. */
import type { HandlerAnswer } from "../core/advance.ts";
import { Fenced, type NotReady } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import { dueAfter } from "../registry/claim.ts";
import { endRun } from "./ending.ts";
import type { World } from "./world.ts";

export async function waitForEvaluator(
  world: World,
  { id, epoch, attempt }: Run,
  why: NotReady,
): Promise<HandlerAnswer> {
  const run = await world.registry.run(id);
  if (run?.epoch !== epoch || run.attempt !== attempt) throw new Fenced(`Run ${id} moved on.`);
  const waitSeconds = Math.max(1, Math.ceil(why.retryAfterMs / 1_000));
  const now = world.clock.now();
  if (outlastsMinutes(run, now + waitSeconds * 1_000)) {
    const detail = `The evaluator is not ready (${why.message}), and waiting for it takes longer than what is left of ${run.options.budget.minutes} minutes.`;
    await endRun(world, run, { status: "partial", reason: "minutes", detail });
    return { next: "stop" };
  }
  await world.registry.commit(run, {
    run: {
      status: "waiting",
      reason: "evaluator_not_ready",
      detail: why.message,
      dueAt: dueAfter(now, waitSeconds * 1_000),
    },
    events: [{ type: "waiting", why: why.message, until: new Date(now + waitSeconds * 1_000).toISOString() }],
  });
  return { next: "wait", waitSeconds };
}

/** A wait counts as time under computation, from the mark on. */
function outlastsMinutes({ activeMs, markedAt, options }: Run, until: number): boolean {
  const { minutes } = options.budget;
  return minutes !== undefined && activeMs + until - (markedAt ?? until) > minutes * 60_000;
}
