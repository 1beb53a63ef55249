/** Executes the instruction at the program counter, in a fresh model context, until the gate accepts it. */

import { applyPending } from "../lib/control/effects.ts";
import { endRun } from "../lib/control/ending.ts";
import { turnsOf } from "../lib/control/instruction-state.ts";
import { openInstruction } from "../lib/control/open-instruction.ts";
import { packAccepted } from "../lib/control/pack-accepted.ts";
import { type TurnTaken, takeTurn } from "../lib/control/take-turn.ts";
import { type HandlerInput, withRun } from "../lib/control/with-run.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/advance.ts";
import { nextTurn } from "../lib/core/next-turn.ts";
import type { Run } from "../lib/core/run.ts";

export const createExecute =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, async (claimed) => {
      const run = advance(claimed) === "pack" ? await packAccepted(world, claimed) : claimed;
      const next = advance(run);
      if (next === "stop" || next === "deliver") return { next };
      return next === "execute" ? executeInstruction(world, run, invocation) : { next: "stop" };
    });

async function executeInstruction(world: World, run: Run, invocation: Invocation): Promise<HandlerAnswer> {
  const opened = await openInstruction(world, run, invocation);
  const { state } = opened;
  await applyPending(opened);
  for (;;) {
    const next = nextTurn(turnsOf(state), { instruction: state.number, forgivenTurn: state.run.forgivenTurn });
    if (next.do === "accepted") return afterAcceptance(world, state.run);
    const taken: TurnTaken =
      next.do === "trapped"
        ? { end: { status: "partial", reason: "trapped", detail: `Instruction ${state.number}: ${next.detail}.` } }
        : await takeTurn({ ...opened, ask: next });
    if (taken === "taken") continue;
    if (taken === "out_of_time") return { next: "execute" };
    if ("waitSeconds" in taken) return { next: "wait", waitSeconds: taken.waitSeconds };
    await endRun(world, state.run, taken.end);
    return { next: "stop" };
  }
}

async function afterAcceptance(world: World, accepted: Run): Promise<HandlerAnswer> {
  const run = advance(accepted) === "pack" ? await packAccepted(world, accepted) : accepted;
  return { next: advance(run) === "deliver" ? "deliver" : "execute" };
}
