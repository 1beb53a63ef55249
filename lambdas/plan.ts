/** Loads what the run starts from and makes its program. The first state of every epoch. */
import { type HandlerInput, withRun } from "../lib/control/lifecycle/with-run.ts";
import { PLAN_STEPS } from "../lib/control/steps.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/program/advance.ts";

export const createPlan =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, async (claimed) => {
      let run = claimed;
      for (;;) {
        const next = advance(run);
        const step = PLAN_STEPS[next];
        // Execute does every other step.
        if (!step) return { next: next === "stop" || next === "deliver" ? next : "execute" };
        const result = await step(world, run, invocation);
        if (result.kind === "answer") return result.answer;
        run = result.run;
      }
    });
