/** Executes the program, one step after the other; each instruction gets an invocation of its own. */
import { executeLane } from "../lib/control/lanes/execute-lane.ts";
import { type HandlerInput, withRun } from "../lib/control/lifecycle/with-run.ts";
import { EXECUTE_STEPS } from "../lib/control/steps.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/program/advance.ts";
import type { Run } from "../lib/core/run/run.ts";

export const createExecute =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> => {
    const { lane = 1 } = input;
    if (lane > 1) return executeLane(world, { ...input, lane }, invocation);
    return withRun(world, input, (claimed) => executeOne(world, { ...invocation, waits: input.idle ?? 0 }, claimed));
  };

async function executeOne(world: World, invocation: Invocation, claimed: Run): Promise<HandlerAnswer> {
  let run = claimed;
  for (;;) {
    const next = advance(run);
    // An instruction was finished in this invocation: the next one begins in another.
    if (next === "execute" && run.pc > claimed.pc) return { next: "execute" };
    const step = EXECUTE_STEPS[next];
    if (!step) return { next: next === "deliver" ? "deliver" : "stop" };
    const result = await step(world, run, invocation);
    if (result.kind === "answer") return result.answer;
    run = result.run;
  }
}
