/** The evaluator is not ready: the run waits for it, for hours at most and within its minutes. */
import { Fenced, type NotReady } from "../../core/errors.ts";
import { EVALUATOR_PATIENCE_MS } from "../../core/limits.ts";
import type { HandlerAnswer } from "../../core/program/advance.ts";
import type { Run } from "../../core/run/run.ts";
import { moment } from "../../core/text/format.ts";
import { endWithLanes } from "../lanes/hold-ending.ts";
import type { World } from "../world.ts";
import type { Ending } from "./ending.ts";
import { outlastsMinutes, waitCommit } from "./wait.ts";

const HOUR_MS = 3_600_000;

export async function waitForEvaluator(
  world: World,
  { id, epoch, attempt }: Run,
  notReady: NotReady,
): Promise<HandlerAnswer> {
  const run = await world.registry.run(id);
  if (run?.epoch !== epoch || run.attempt !== attempt) throw new Fenced(`Run ${id} moved on.`);
  const now = world.clock.now();
  const since = run.evaluatorAwaitedSince ?? new Date(now).toISOString();
  const seconds = Math.max(1, Math.ceil(notReady.retryAfterMs / 1_000));
  const why = `The evaluator is not ready (${notReady.message}).`;
  const patienceMs = Math.min(notReady.patienceMs ?? EVALUATOR_PATIENCE_MS, EVALUATOR_PATIENCE_MS);
  const tooLong = now + seconds * 1_000 - Date.parse(since) > patienceMs;
  const ending = tooLong ? neverReady(since, notReady, patienceMs) : outlastsMinutes(world, run, { why, seconds });
  if (ending) return (await endWithLanes(world, run, ending)).answer;
  const wait = { why: notReady.message, seconds, run: { evaluatorAwaitedSince: since } };
  await world.registry.commit(run, waitCommit(world, { reason: "evaluator_not_ready", ...wait }));
  return { next: "wait", waitSeconds: seconds };
}

const neverReady = (since: string, { message }: NotReady, patienceMs: number): Ending => ({
  status: "partial",
  reason: "evaluator_not_ready",
  detail: `The evaluator has not been ready since ${moment(since)} (${message}), and a run waits ${patienceMs < HOUR_MS ? `${patienceMs / 60_000} minutes` : `${patienceMs / HOUR_MS} hours`} for that at most.`,
});
