/** Ends a run: whatever the reason, the last pack stays and is its output. */
import type { Run, RunReason, RunStatus } from "../core/run.ts";
import { writeReport } from "./report.ts";
import type { World } from "./world.ts";

export interface Ending {
  status: Extract<RunStatus, "completed" | "partial" | "failed" | "cancelled">;
  reason?: RunReason;
  detail: string;
}

export const CANCELLED: Ending = {
  status: "cancelled",
  reason: "cancelled",
  detail: "The run was cancelled on request.",
};

export async function endRun(world: World, run: Run, ending: Ending): Promise<Run> {
  const now = new Date(world.clock.now()).toISOString();
  const { status, reason, detail } = ending;
  await writeReport(world, { ...run, status, reason, detail, endedAt: now });
  return world.registry.commit(run, {
    run: {
      status,
      detail,
      endedAt: now,
      // A call that was in flight may have been charged.
      microUsd: run.microUsd + run.reservedMicroUsd,
      inputTokens: run.inputTokens + run.reservedTokens,
      reservedMicroUsd: 0,
      reservedTokens: 0,
      ...(reason ? { reason } : {}),
      remove: ["activeShard", "dueAt", "markedAt", "cancelRequested", ...(reason ? [] : (["reason"] as const))],
    },
    events: [{ type: "ended", status, detail, ...(reason ? { reason } : {}) }],
    evenIfCancelled: true,
  });
}
