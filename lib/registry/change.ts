/** Changes a run from outside a computation, by compare-and-set: by people, by the sweeper, at the start of an epoch. */
import { INVOCATION_MS } from "../core/limits.ts";
import type { Condition } from "../core/ports.ts";
import type { EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter } from "./claim.ts";
import type { RunPatch } from "./commit.ts";
import { fenced, fenceOf } from "./fence.ts";
import { activeShardOf } from "./keys.ts";
import { accountsAsRead } from "./lost-reservation.ts";
import { iso, type WriteContext, writeRun } from "./write-run.ts";

/** Answers undefined when the run changed meanwhile: read it again. */
export async function change(
  context: WriteContext,
  run: Run,
  { patch: { remove = [], ...patch }, events = [] }: { patch: RunPatch; events?: EventBody[] },
): Promise<Run | undefined> {
  const when: Condition[] = [
    ...fenced(fenceOf(run)),
    { attribute: "events", is: run.events },
    { attribute: "status", is: run.status },
    ...accountsAsRead(run, patch),
  ];
  const written = await writeRun(context, {
    run,
    set: { ...patch, updatedAt: iso(context.now) },
    remove,
    when,
    events,
  });
  return written.ok ? written.run : undefined;
}

/** What every new epoch sets: from here on, attempts of the old one are fenced. */
export const nextEpoch = (run: Run, now: number): RunPatch => ({
  epoch: run.epoch + 1,
  activeShard: activeShardOf(run.id),
  dueAt: dueAfter(now, INVOCATION_MS),
});
