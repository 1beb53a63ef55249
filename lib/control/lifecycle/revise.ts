/** Has the model revise a program that waits for approval, as a person asks; then it waits again. */
import type { Run } from "../../core/run/run.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { RunPatch } from "../../registry/commit.ts";
import type { World } from "../world.ts";
import { throwIfAskedAgain, throwIfNotAwaitingApproval } from "./approval.ts";
import { dailyBudgetError } from "./daily-budget.ts";
import { updateRun } from "./resume-and-cancel.ts";

/** The next epoch, which revises the program. The caller starts the execution. */
export const revise = (world: World, runId: string, feedback: string): Promise<Run> =>
  updateRun(world, runId, async (run) => {
    throwIfNotAwaitingApproval(run);
    throwIfAskedAgain(run);
    const refused = await dailyBudgetError(world, run, "approve");
    if (refused) throw refused;
    const after = (await world.registry.turns(run.id, 0)).at(-1)?.turn ?? 0;
    const revising = { feedback: maskSecrets(feedback), after };
    const patch: RunPatch = {
      status: "planning",
      revising,
      turn: after,
      forgivenTurn: after,
      failures: 0,
      remove: ["reason", "detail"],
    };
    return world.registry.beginEpoch(run, patch, [{ type: "revising", feedback: revising.feedback }]);
  });
