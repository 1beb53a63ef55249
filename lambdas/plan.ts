/** Makes the program: given by the user, or written by the model and reflected upon. The first state of every epoch. Loads before what the run starts from. */

import { type Ending, endRun } from "../lib/control/lifecycle/ending.ts";
import { type HandlerInput, withRun } from "../lib/control/lifecycle/with-run.ts";
import { finishPlanning, openPlanning, plannedDraft, storeReplacement } from "../lib/control/program/planning.ts";
import { replacementOf } from "../lib/control/program/stored-program.ts";
import { loadTree } from "../lib/control/steps/load-tree.ts";
import { runAndCommitTools } from "../lib/control/turn/commit-turn.ts";
import { turnsOf } from "../lib/control/turn/instruction-state.ts";
import { switchToNextModel } from "../lib/control/turn/switch-model.ts";
import { type TurnTaken, takeTurn } from "../lib/control/turn/take-turn.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { advance, type HandlerAnswer } from "../lib/core/program/advance.ts";
import type { Run } from "../lib/core/run/run.ts";
import { currentModelIndex } from "../lib/core/turn/fallback.ts";
import { nextTurn } from "../lib/core/turn/next-turn.ts";
import type { StuckReason } from "../lib/core/turn/stuck.ts";

export const createPlan =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, async (claimed) => {
      const run = advance(claimed) === "load" ? await loadTree(world, claimed, invocation) : claimed;
      const next = advance(run);
      if (next === "load") return { next: "wait", waitSeconds: 1 };
      if (next === "plan") return plan(world, run, invocation);
      if (next === "replace") await storeReplacement(world, run);
      // Whatever else there is to do, Execute does.
      return { next: next === "stop" || next === "deliver" ? next : "execute" };
    });

async function plan(world: World, run: Run, invocation: Invocation): Promise<HandlerAnswer> {
  const opened = await openPlanning(world, run, invocation);
  const { state, document } = opened;
  const given = document.given === undefined ? undefined : await replacementOf(world.files, run.id, document.given);
  await runAndCommitTools(opened);
  for (;;) {
    const next = nextTurn(turnsOf(state), {
      instruction: 0,
      forgivenTurn: state.run.forgivenTurn,
      model: currentModelIndex(state.run),
    });
    if (
      next.do === "stuck" &&
      next.kind === "timed_out" &&
      (await switchToNextModel(world, state, { why: next.detail }))
    )
      continue;
    const draft = given ?? plannedDraft(state, document, next.do === "stuck");
    if (draft) {
      return { next: advance(await finishPlanning(world, state.run, draft)) === "stop" ? "stop" : "execute" };
    }
    const taken: TurnTaken =
      next.do === "ask"
        ? await takeTurn({ ...opened, ask: next })
        : {
            end: { status: "failed", reason: "planning", detail: noProgram(next.do === "stuck" ? next.detail : "") },
          };
    if (taken === "taken") continue;
    if (taken === "out_of_time") return { next: "wait", waitSeconds: 1 };
    if ("waitSeconds" in taken) return { next: "wait", waitSeconds: taken.waitSeconds };
    await endRun(world, state.run, "end" in taken ? taken.end : stuckPlanning(taken.stuck));
    return { next: "stop" };
  }
}

const stuckPlanning = ({ detail }: Pick<StuckReason, "detail">): Ending => ({
  status: "partial",
  reason: "trapped",
  detail: `The program cannot be planned: ${detail}.`,
});

const noProgram = (why: string): string =>
  `The model wrote no program that could be used: ${why}. Try another model, or give a program with --program FILE.`;
