/** The turns of a step, one after the other, until it is done or something keeps it from going on. */
import { currentModelIndex } from "../../core/turn/model-fallback.ts";
import { nextTurn } from "../../core/turn/next-turn.ts";
import { runAndCommitTools } from "./commit-turn.ts";
import type { OpenStep } from "./open-step.ts";
import { turnsOf } from "./step-state.ts";
import { switchToNextModel } from "./switch-model.ts";
import { type TurnResult, takeTurn } from "./take-turn.ts";

export type ConversationResult = Exclude<TurnResult, { kind: "continue" }> | { kind: "done" };

/** `isDone` is asked before every turn, beside the gate. */
export async function converse(step: OpenStep, isDone = (): boolean => false): Promise<ConversationResult> {
  const { world, state } = step;
  await runAndCommitTools(step);
  for (;;) {
    const next = nextTurn(turnsOf(state), {
      instruction: state.number,
      forgivenTurn: state.run.forgivenTurn,
      model: currentModelIndex(state.run),
      ...(step.turnCap === undefined ? {} : { cap: step.turnCap }),
    });
    if (next.do === "accepted" || isDone()) return { kind: "done" };
    if (next.do === "stuck") {
      if (next.kind === "timed_out" && (await switchToNextModel(world, state, { why: next.detail }))) continue;
      return { kind: "stuck", cause: next };
    }
    const result = await takeTurn(step, next);
    if (result.kind !== "continue") return result;
  }
}
