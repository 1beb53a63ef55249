/** The turns of a step, one after the other, until it is done or something keeps it from going on. */
import { currentModelIndex } from "../../core/turn/model-fallback.ts";
import { type NextTurn, nextTurn } from "../../core/turn/next-turn.ts";
import { runAndCommitTools } from "./commit-turn.ts";
import type { OpenStep } from "./open-step.ts";
import { recordedInputs } from "./recorded-inputs.ts";
import { commitRun, turnsOf } from "./step-state.ts";
import { switchToNextModel } from "./switch-model.ts";
import { type TurnResult, takeTurn } from "./take-turn.ts";

export type ConversationResult = Exclude<TurnResult, { kind: "continue" }> | { kind: "done" };

/** `isDone` is asked before every turn, beside the gate. */
export async function converse(step: OpenStep, isDone = (): boolean => false): Promise<ConversationResult> {
  const { world, state } = step;
  await runAndCommitTools(step);
  for (;;) {
    const next = await nextOf(step);
    if (next.do === "accepted" || isDone()) return { kind: "done" };
    if (next.do === "stuck") {
      if (next.kind === "timed_out" && (await switchToNextModel(world, state, { why: next.detail }))) continue;
      return { kind: "stuck", cause: next };
    }
    const result = await takeTurn(step, next);
    if (result.kind !== "continue") return result;
  }
}

async function nextOf(step: OpenStep): Promise<NextTurn> {
  const { world, state } = step;
  const next = nextFrom(step);
  // In a replay no person gives a hint, but where one was given the turns before it did not count any more.
  if (next.do !== "ask" || !recordedInputs(step, next.turn)?.opening?.countsAnew) return next;
  await commitRun(world, state, { run: { forgivenTurn: next.turn - 1 } });
  return nextFrom(step);
}

const nextFrom = ({ state, turnCap }: OpenStep): NextTurn =>
  nextTurn(turnsOf(state), {
    instruction: state.number,
    forgivenTurn: state.run.forgivenTurn,
    model: currentModelIndex(state.run),
    ...(turnCap === undefined ? {} : { cap: turnCap }),
  });
