/** Delivers a run whose program is done: output, readable book where the domain is one, report. */

import { endRun } from "../lib/control/ending.ts";
import { deliverOutput } from "../lib/control/output.ts";
import { type HandlerInput, withRun } from "../lib/control/with-run.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/advance.ts";

export const createDeliver =
  (world: World) =>
  (input: HandlerInput, _invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, async (claimed) => {
      if (advance(claimed) !== "deliver") return { next: "stop" };
      const run = await world.registry.commit(claimed, { run: { status: "delivering" } });
      await deliverOutput(world, run);
      const unchecked = run.unchecked.length > 0;
      await endRun(world, run, {
        status: "completed",
        ...(unchecked ? { reason: "unchecked" as const } : {}),
        detail: unchecked
          ? `Completed, but not all of it could be checked: ${run.unchecked.join("; ")}.`
          : "Completed.",
      });
      return { next: "stop" };
    });
