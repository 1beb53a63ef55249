/** Plans a run and leaves it at that: the control unit's first state alone, without the engine. */
import { createHandlers } from "../../lambdas/handlers.ts";
import { endRun } from "../control/ending.ts";
import type { World } from "../control/world.ts";
import { Fenced } from "../core/errors.ts";
import { INVOCATION_MS } from "../core/limits.ts";

export const PLANNED_ONLY = "Planned only: the program was written, and not executed.";

export async function planOnly(world: World, runId: string, signal: AbortSignal): Promise<void> {
  const handlers = createHandlers(world);
  const run = await world.registry.run(runId);
  if (!run) return;
  const input = { runId, epoch: run.epoch };
  try {
    for (let planned = false; !planned && !signal.aborted; ) {
      const answer = await untilAborted(handlers.plan(input, invocationOf(world, signal)), signal);
      if (answer?.next === "wait") await world.clock.sleep((answer.waitSeconds ?? 1) * 1_000, signal);
      else planned = true;
    }
    if (!signal.aborted) await endPlanned(world, input);
  } catch (error) {
    if (signal.aborted) return;
    const cause = error instanceof Error ? error.message : String(error);
    await handlers.recordFailure({ ...input, error: "Planning failed", cause });
  }
}

function invocationOf({ clock }: World, signal: AbortSignal) {
  const deadline = clock.now() + INVOCATION_MS;
  return { signal, remainingMs: () => Math.max(0, deadline - clock.now()) };
}

/** A handler that is slow to stop is not waited for: its epoch is over, so that it writes nothing more. */
const untilAborted = <Answer>(work: Promise<Answer>, signal: AbortSignal): Promise<Answer | undefined> =>
  Promise.race([
    work,
    new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    }),
  ]);

/** A run that ended while it was planned, or was cancelled, stays as it is. */
async function endPlanned(world: World, { runId, epoch }: { runId: string; epoch: number }): Promise<void> {
  try {
    const run = await world.registry.claim(runId, epoch);
    await endRun(world, run, { status: "completed", detail: PLANNED_ONLY });
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
  }
}
