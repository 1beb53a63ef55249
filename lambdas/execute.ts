/** Executes the instruction at the program counter, in a fresh model context, until the gate accepts it. */

import { checkDelivery } from "../lib/control/gate/clean-room-check.ts";
import { endRun } from "../lib/control/lifecycle/ending.ts";
import { type HandlerInput, withRun } from "../lib/control/lifecycle/with-run.ts";
import { openInstruction } from "../lib/control/steps/open-instruction.ts";
import { packAccepted } from "../lib/control/steps/pack-accepted.ts";
import { skipInstruction } from "../lib/control/steps/skip-instruction.ts";
import { stopOrSkipStuckInstruction } from "../lib/control/steps/stop-or-skip.ts";
import { runAndCommitTools } from "../lib/control/turn/commit-turn.ts";
import { turnsOf } from "../lib/control/turn/instruction-state.ts";
import { switchToNextModel } from "../lib/control/turn/switch-model.ts";
import { type TurnTaken, takeTurn } from "../lib/control/turn/take-turn.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/program/advance.ts";
import type { Run } from "../lib/core/run/run.ts";
import { currentModelIndex } from "../lib/core/turn/fallback.ts";
import { nextTurn } from "../lib/core/turn/next-turn.ts";

export const createExecute =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, async (claimed) => {
      const run = advance(claimed) === "pack" ? await packAccepted(world, claimed) : claimed;
      const next = advance(run);
      if (next === "stop" || next === "deliver") return { next };
      if (next === "smoke") return afterProgram(world, run, invocation);
      if (next === "skip") return afterInstruction(world, await skipInstruction(world, run), invocation);
      return next === "execute" ? executeInstruction(world, run, invocation) : { next: "stop" };
    });

async function executeInstruction(world: World, run: Run, invocation: Invocation): Promise<HandlerAnswer> {
  const opened = await openInstruction(world, run, invocation);
  const { state } = opened;
  await runAndCommitTools(opened);
  for (;;) {
    const next = nextTurn(turnsOf(state), {
      instruction: state.number,
      forgivenTurn: state.run.forgivenTurn,
      model: currentModelIndex(state.run),
    });
    if (
      next.do === "stuck" &&
      next.kind === "timed_out" &&
      (await switchToNextModel(world, state, { why: next.detail }))
    )
      continue;
    if (next.do === "accepted") return afterInstruction(world, state.run, invocation);
    const taken: TurnTaken = next.do === "stuck" ? { stuck: next } : await takeTurn({ ...opened, ask: next });
    if (taken === "taken") continue;
    if (taken === "out_of_time") return { next: "execute" };
    if ("waitSeconds" in taken) return { next: "wait", waitSeconds: taken.waitSeconds };
    if ("end" in taken) {
      await endRun(world, state.run, taken.end);
      return { next: "stop" };
    }
    const stuck = await stopOrSkipStuckInstruction(world, state, taken.stuck);
    if (advance(stuck) !== "skip") return { next: "stop" };
    return afterInstruction(world, await skipInstruction(world, stuck), invocation);
  }
}

async function afterInstruction(world: World, done: Run, invocation: Invocation): Promise<HandlerAnswer> {
  const run = advance(done) === "pack" ? await packAccepted(world, done) : done;
  return advance(run) === "smoke" ? afterProgram(world, run, invocation) : { next: "execute" };
}

/** Tried here and not in Deliver: what waits for the evaluator waits in a state of its own. */
async function afterProgram(world: World, run: Run, invocation: Invocation): Promise<HandlerAnswer> {
  const tried = await checkDelivery(world, run, invocation);
  return { next: tried ? "deliver" : "execute" };
}
