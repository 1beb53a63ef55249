/** Loads what the run starts from and makes its program. The first state of every epoch. */
import { type HandlerInput, withRun } from "../lib/control/lifecycle/with-run.ts";
import { PLAN_STEPS } from "../lib/control/steps.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/program/advance.ts";
import { lanesOf, type Run } from "../lib/core/run/run.ts";

export const createPlan =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, (claimed) => planAll(world, claimed, invocation));

async function planAll(world: World, claimed: Run, invocation: Invocation): Promise<HandlerAnswer> {
  let run = claimed;
  for (;;) {
    const next = advance(run);
    const step = PLAN_STEPS[next];
    // Execute does every other step.
    if (!step) return next === "stop" || next === "deliver" ? { next } : toExecute(world, run);
    const result = await step(world, run, invocation);
    if (result.kind === "answer") return result.answer;
    run = result.run;
  }
}

/** A replay does what lanes did at the places that its recording has. */
function toExecute({ recorded }: World, run: Run): HandlerAnswer {
  const lanes = lanesOf(run);
  return { next: "execute", ...(lanes > 1 && !recorded ? { lanes } : {}) };
}
