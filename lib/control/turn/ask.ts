/** Asks the model: reserve the worst case, call, store the answer, settle. What was paid for is never lost again. */

import { ModelError } from "../../core/errors.ts";
import type { Model, ModelAnswer } from "../../core/ports.ts";
import { costOf, overReservation } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { calibrated } from "../../core/turn/estimate.ts";
import { currentModelIndex, paidWith } from "../../core/turn/fallback.ts";
import type { AnswerBody, Turn } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { reserveWithinBudgets } from "../lifecycle/daily-budget.ts";
import type { Invocation, World } from "../world.ts";
import type { InstructionState } from "./instruction-state.ts";
import { bodyOf } from "./journal.ts";
import type { Prepared } from "./request.ts";

interface Asking {
  world: World;
  state: InstructionState;
  model: Model;
  turn: number;
  prepared: Prepared;
  invocation: Invocation;
}

/** Leaves the answered turn in `state.pending`; answers why there is none. `outrun`: others took what was left of the day. */
export async function ask(asking: Asking): Promise<ModelError | "outrun" | undefined> {
  const { world, state, model, prepared, invocation } = asking;
  const { reservation } = prepared.admission;
  const reserved = await reserveWithinBudgets(world, state.run, {
    reservation,
    invocationMs: invocation.remainingMs(),
  });
  if (!reserved) return "outrun";
  state.run = reserved;
  let answer: ModelAnswer;
  try {
    answer = await model.ask(prepared.request, invocation.signal);
  } catch (error) {
    // Told to stop: nobody waits for the answer, and the reservation is written off by the next attempt.
    invocation.signal.throwIfAborted();
    if (error instanceof ModelError) return error;
    throw error;
  }
  await store(asking, answer);
  return undefined;
}

async function store({ world, state, turn, prepared }: Asking, answer: ModelAnswer): Promise<void> {
  const { run, number } = state;
  const at = { instruction: number, turn, attempt: run.attempt };
  const body: AnswerBody = {
    inputs: prepared.inputs,
    requestHash: sha256(JSON.stringify({ messages: prepared.request.messages, tools: prepared.request.tools })),
    ...(prepared.inputs.opening ? { tools: prepared.request.tools } : {}),
    requestBytes: prepared.bytes,
    contextTokens: prepared.contextTokens,
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
    segment: prepared.segment,
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
  state.run = await world.registry.commit(run, {
    turn: answered,
    newTurn: true,
    run: { ...settled(run, { answer, microUsd, prepared }), turn },
  });
  state.pending = { turn: answered, answer: body };
}

/** As turns and their inputs note it. */
export function modelOf(run: Run): { model?: number } {
  const model = currentModelIndex(run);
  return model > 0 ? { model } : {};
}

function settled(run: Run, paid: { answer: ModelAnswer; microUsd: number; prepared: Prepared }): Partial<Run> {
  const { microUsd, prepared } = paid;
  const { usage, milliseconds } = paid.answer;
  const actual = { microUsd, tokens: usage.inputTokens + usage.outputTokens };
  const over = overReservation(run.options.budget, prepared.admission.reservation, actual);
  const speed = milliseconds > 0 ? usage.outputTokens / (milliseconds / 1_000) : 0;
  return {
    calls: run.calls + 1,
    microUsd: run.microUsd + microUsd,
    ...paidWith(run, microUsd),
    inputTokens: run.inputTokens + usage.inputTokens,
    cachedTokens: run.cachedTokens + usage.cachedTokens,
    outputTokens: run.outputTokens + usage.outputTokens,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    failures: 0,
    ...(run.renewals ? { renewals: 0 } : {}),
    tokensPerByte: calibrated(run, prepared.bytes, usage.inputTokens),
    // Short answers measure the connection, not the model.
    tokensPerSecond: usage.outputTokens >= 100 && speed > 0 ? speed : run.tokensPerSecond,
    // Noted with the charge itself, so that whoever goes on makes no further call.
    ...(over ? { reason: "over_reservation" as const } : {}),
  };
}

/** The call failed. Where the server may have charged for it, the reservation counts as spent. */
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
      ...paidWith(run, lost.microUsd),
      inputTokens: run.inputTokens + lost.tokens,
    },
    lost,
  };
}
