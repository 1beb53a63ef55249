/** Whether a lane may still be at work: an invocation lasts so long at most, and begins when a wait is over. */
import { INVOCATION_MS } from "../../core/limits.ts";
import type { Run } from "../../core/run/run.ts";
import { dueAfter, laterOf } from "../../registry/claim.ts";
import type { World } from "../world.ts";

/** `since`: when somebody began to wait for it. */
export function isHeard(
  { clock }: Pick<World, "clock">,
  { waitUntil, updatedAt }: Pick<Run, "waitUntil" | "updatedAt">,
  since?: string,
): boolean {
  const heard = laterOf(since, waitUntil ?? updatedAt);
  return dueAfter(Date.parse(heard), INVOCATION_MS) > new Date(clock.now()).toISOString();
}
