/** One turn: prepare the request, ask the model, run what it calls for, commit. Every way it can go has a name. */

import type { ModelError } from "../../core/errors.ts";
import { LONGEST_WAIT_MS, SHORT_WAIT_MS } from "../../core/limits.ts";
import type { Model } from "../../core/ports.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { moment } from "../../core/text/format.ts";
import { mayFallBack } from "../../core/turn/fallback.ts";
import type { NextTurn } from "../../core/turn/next-turn.ts";
import { afterFailure } from "../../core/turn/retry.ts";
import type { StuckReason } from "../../core/turn/stuck.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { onDailyBudgetSpent } from "../lifecycle/daily-budget.ts";
import type { Ending } from "../lifecycle/ending.ts";
import { beginWait, outlastsMinutes } from "../lifecycle/wait.ts";
import type { World } from "../world.ts";
import { ask, modelOf, settleFailure } from "./ask.ts";
import { type Applying, commitTurn, runAndCommitTools } from "./commit-turn.ts";
import type { PromptContext } from "./first-message.ts";
import { enoughTime, type Prepared, prepareRequest } from "./request.ts";
import { switchToNextModel } from "./switch-model.ts";

export type TurnTaken =
  | "taken"
  | "out_of_time"
  | { stuck: Pick<StuckReason, "kind" | "detail"> }
  | { end: Ending }
  | { waitSeconds: number };

export interface TakingTurn extends Applying {
  model: Model;
  told: Omit<PromptContext, "opening">;
  ask: Extract<NextTurn, { do: "ask" }>;
}

export async function takeTurn(taking: TakingTurn): Promise<TurnTaken> {
  const { world, state, invocation, model } = taking;
  if (state.run.reason === "over_reservation") return { end: overCharged };
  const remainingMs = invocation.remainingMs();
  if (!enoughTime(state.run, remainingMs)) return "out_of_time";
  const preparation = await prepareRequest({ ...taking, tools: taking.tools.map((tool) => tool.spec), remainingMs });
  if ("tooLong" in preparation) return { stuck: tooLong(state.run) };
  if ("refused" in preparation) {
    const { refused } = preparation;
    if (refused.ceiling === "daily") return onDailyBudgetSpent(world, state, refused);
    return { end: { status: "partial", reason: refused.ceiling, detail: refused.detail } };
  }
  const { ready } = preparation;
  const failed = await ask({ world, state, model, turn: taking.ask.turn, prepared: ready, invocation });
  if (failed === "outrun") return "taken";
  if (failed) return afterFailedCall(taking, ready, failed);
  // The answer is kept: the next invocation has the time to run what it calls for.
  if (!enoughTimeToApply(state, invocation)) return "out_of_time";
  await runAndCommitTools(taking);
  return "taken";
}

async function afterFailedCall(taking: TakingTurn, prepared: Prepared, error: ModelError): Promise<TurnTaken> {
  const { world, state, invocation } = taking;
  if (error.kind === "timed_out" || error.kind === "context_exceeded") {
    await commitWithoutAnswer(taking, prepared, error);
    return "taken";
  }
  const { run, lost } = settleFailure(state.run, error);
  const tries = state.run.failures + 1;
  const then = afterFailure({ kind: error.kind, tries, random: world.random(), ...retryAfter(error) });
  const notes = lostEvent(lost, error.message);
  if (then.do === "retry") {
    state.run = await world.registry.commit(state.run, { run, events: notes });
    await world.clock.sleep(Math.min(then.afterMs, SHORT_WAIT_MS), invocation.signal);
    return "taken";
  }
  if (then.do === "give_up") return giveUp(taking, error, { run, notes, end: gaveUp(error, comesBack(world, then)) });
  const { seconds } = then;
  const tooLate = outlastsMinutes(world, state.run, { why: error.message, seconds });
  if (tooLate) return giveUp(taking, error, { run, notes, end: tooLate });
  state.run = await beginWait(world, state.run, {
    reason: "rate_limited",
    why: error.message,
    seconds,
    run,
    events: notes,
  });
  return { waitSeconds: seconds };
}

/** Another model may stand in; else it is over. */
async function giveUp(
  { world, state }: TakingTurn,
  { kind, message }: ModelError,
  { run, notes, end }: { run: Partial<Run>; notes: EventBody[]; end: Ending },
): Promise<TurnTaken> {
  if (mayFallBack(kind) && (await switchToNextModel(world, state, { why: message, run, events: notes })))
    return "taken";
  state.run = await world.registry.commit(state.run, { run, events: notes });
  return { end };
}

const retryAfter = (error: ModelError) =>
  error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };

const lostEvent = (lost: { microUsd: number; tokens: number }, why: string): EventBody[] =>
  lost.microUsd + lost.tokens > 0 ? [{ type: "written_off", ...lost, why }] : [];

/** A time-out and a window that was too small are turns too: they count, and the next one learns from them. */
async function commitWithoutAnswer(taking: TakingTurn, prepared: Prepared, error: ModelError): Promise<void> {
  const { world, state } = taking;
  const { run, lost } = settleFailure(state.run, error);
  const timedOut = error.kind === "timed_out";
  const turn = {
    instruction: state.number,
    turn: taking.ask.turn,
    epoch: state.run.epoch,
    attempt: state.run.attempt,
    segment: prepared.segment,
    state: "committed" as const,
    at: new Date(world.clock.now()).toISOString(),
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    microUsd: 0,
    milliseconds: 0,
    changes: [],
    ...modelOf(state.run),
  };
  const correction = timedOut ? "The last answer took too long and was not received. Write less at once." : "";
  await commitTurn(taking, {
    turn,
    outcome: timedOut ? "timed_out" : "context_exceeded",
    effects: { inputs: prepared.inputs, results: [], correction, verdicts: [] },
    contextTokens: prepared.contextTokens,
    events: lostEvent(lost, error.message),
    run: { ...run, failures: 0 },
    isNew: true,
  });
}

const overCharged: Ending = {
  status: "partial",
  reason: "over_reservation",
  detail:
    "The model server charged more for a call than its worst case was reckoned at, so the ceiling would not be safe any more.",
};

const tooLong = (run: Run): Pick<StuckReason, "kind" | "detail"> => ({
  kind: "too_long",
  detail: `the task and this instruction alone do not fit the model's context window of ${run.profile.contextWindow} tokens. Shorten the task, split the instruction, or use a model with a larger window`,
});

const comesBack = (world: World, { tooLongMs }: { tooLongMs?: number }): string =>
  tooLongMs === undefined
    ? ""
    : ` It is to be asked again at ${moment(world.clock.now() + tooLongMs)}, which is more than the ${LONGEST_WAIT_MS / 3_600_000} hours away that a run waits.`;

const gaveUp = ({ kind, message }: ModelError, comesBack: string): Ending => ({
  status: "failed",
  reason: kind === "credentials" ? "credentials" : "provider",
  detail: `${message}${comesBack}`,
});
