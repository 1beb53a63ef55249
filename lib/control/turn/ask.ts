/** Asks the model: reserves the maximum cost, calls, stores the answer, settles. A paid answer is never lost. */
import { ModelError } from "../../core/errors.ts";
import type { ModelAnswer } from "../../core/ports.ts";
import { costOf, overReservation } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { calibrated } from "../../core/turn/estimate.ts";
import { addModelCost, currentModelIndex } from "../../core/turn/model-fallback.ts";
import type { AnswerBody, Turn } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { reserveWithinBudgets } from "../lifecycle/daily-budget.ts";
import { bodyOf } from "./journal.ts";
import type { OpenStep } from "./open-step.ts";
import type { ReadyRequest } from "./request.ts";
import { commitRun } from "./step-state.ts";

export type AskResult =
  /** The answered turn is in `state.pending`. */
  | { kind: "answered" }
  | { kind: "failed"; error: ModelError }
  /** Other runs reserved what was left of the day. */
  | { kind: "day_spent" };

export async function ask(step: OpenStep, request: ReadyRequest): Promise<AskResult> {
  const { world, state, model, invocation } = step;
  const { reservation } = request.admission;
  const reserved = await reserveWithinBudgets(world, state.run, {
    reservation,
    invocationMs: invocation.remainingMs(),
  });
  if (!reserved) return { kind: "day_spent" };
  state.run = reserved;
  let answer: ModelAnswer;
  try {
    answer = await model.ask(request.request, invocation.signal);
  } catch (error) {
    // When the process is stopping, the next attempt charges the reservation.
    invocation.signal.throwIfAborted();
    if (error instanceof ModelError) return { kind: "failed", error };
    throw error;
  }
  await storeAnswer(step, request, answer);
  return { kind: "answered" };
}

async function storeAnswer({ world, state }: OpenStep, request: ReadyRequest, answer: ModelAnswer): Promise<void> {
  const { run, number } = state;
  const at = { instruction: number, turn: request.turn, attempt: run.attempt };
  const body: AnswerBody = {
    inputs: request.inputs,
    requestHash: sha256(JSON.stringify({ messages: request.request.messages, tools: request.request.tools })),
    ...(request.inputs.opening ? { tools: request.request.tools } : {}),
    requestBytes: request.bytes,
    contextTokens: request.contextTokens,
    answer,
  };
  const answerKey = fileStoreKeys(run.id).answer(at);
  const { bytes, hash } = bodyOf(body);
  await world.files.put(answerKey, bytes);
  const { usage, milliseconds } = answer;
  const microUsd = costOf(run.profile.price, usage);
  const answered: Turn = {
    ...at,
    epoch: run.epoch,
    segment: request.segment,
    state: "answered",
    at: new Date(world.clock.now()).toISOString(),
    answerKey,
    answerSha256: hash,
    ...usage,
    microUsd,
    milliseconds,
    changes: [],
    ...modelOf(run),
  };
  await commitRun(world, state, {
    turn: answered,
    newTurn: true,
    run: { ...settled(run, { answer, microUsd, request }), turn: request.turn },
  });
  state.pending = { turn: answered, answer: body };
}

/** The model's place in the run's list, as turns store it. */
export function modelOf(run: Run): { model?: number } {
  const model = currentModelIndex(run);
  return model > 0 ? { model } : {};
}

function settled(run: Run, paid: { answer: ModelAnswer; microUsd: number; request: ReadyRequest }): Partial<Run> {
  const { microUsd, request } = paid;
  const { usage, milliseconds } = paid.answer;
  const actual = { microUsd, tokens: usage.inputTokens + usage.outputTokens };
  const over = overReservation(run.options.budget, request.admission.reservation, actual);
  const speed = milliseconds > 0 ? usage.outputTokens / (milliseconds / 1_000) : 0;
  return {
    calls: run.calls + 1,
    microUsd: run.microUsd + microUsd,
    ...addModelCost(run, microUsd),
    inputTokens: run.inputTokens + usage.inputTokens,
    cachedTokens: run.cachedTokens + usage.cachedTokens,
    outputTokens: run.outputTokens + usage.outputTokens,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    failures: 0,
    ...(run.renewals ? { renewals: 0 } : {}),
    tokensPerByte: calibrated(run, request.bytes, usage.inputTokens),
    // Short answers measure the connection, not the model.
    tokensPerSecond: usage.outputTokens >= 100 && speed > 0 ? speed : run.tokensPerSecond,
    // Stored with the charge itself, so that no attempt makes another call.
    ...(over ? { reason: "over_reservation" as const } : {}),
  };
}

/** After a failed call: if the server may have charged for it, the reservation counts as spent. */
export function settleFailure(
  run: Run,
  error: ModelError,
): { run: Partial<Run>; lost: { microUsd: number; tokens: number } } {
  const lost = error.perhapsPaid
    ? { microUsd: run.reservedMicroUsd, tokens: run.reservedTokens }
    : { microUsd: 0, tokens: 0 };
  return {
    run: {
      reservedMicroUsd: 0,
      reservedTokens: 0,
      failures: run.failures + 1,
      microUsd: run.microUsd + lost.microUsd,
      ...addModelCost(run, lost.microUsd),
      inputTokens: run.inputTokens + lost.tokens,
    },
    lost,
  };
}
