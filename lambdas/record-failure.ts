/** Records what ended an execution that nothing else could end, so that no run is left "running". */
import { endRun } from "../lib/control/lifecycle/ending.ts";
import type { World } from "../lib/control/world.ts";
import { Fenced } from "../lib/core/errors.ts";
import type { HandlerAnswer } from "../lib/core/program/advance.ts";

export interface FailureInput {
  runId: string;
  epoch: number;
  error: string;
  cause: string;
}

export const createRecordFailure =
  (world: World) =>
  async ({ runId, epoch, error, cause }: FailureInput): Promise<HandlerAnswer> => {
    try {
      const run = await world.registry.claimForEnding(runId, epoch);
      const cancelled = run.cancelRequested === true;
      await endRun(world, run, {
        status: cancelled ? "cancelled" : "failed",
        reason: cancelled ? "cancelled" : "internal",
        detail: `${error}: ${messageOf(cause)}`.slice(0, 1_000),
      });
    } catch (failure) {
      if (!(failure instanceof Fenced)) throw failure;
    }
    return { next: "stop" };
  };

/** Lambda's cause is JSON, perhaps cut; what it says is in `errorMessage`. */
function messageOf(cause: string): string {
  const said = /"errorMessage":"((?:[^"\\]|\\.)*)/.exec(cause)?.[1];
  return said === undefined ? cause : said.replace(/\\(["\\/])/g, "$1").replace(/\\[nrt]/g, " ");
}
