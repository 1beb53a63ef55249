/** Asks the model: reserves the maximum cost, calls, stores the answer, settles. A paid answer is never lost. */
import { ModelError } from "../../core/errors.ts";
import type { ModelAnswer, Usage } from "../../core/ports.ts";
import { costOf, type Reservation, usdOf } from "../../core/run/budget.ts";
import { addOverReservation } from "../../core/run/over-reservation.ts";
import type { Run } from "../../core/run/run.ts";
import { byteLength, encodeText } from "../../core/text/file-text.ts";
import { atMostTokens, calibrated } from "../../core/turn/estimate.ts";
import { addModelCost, currentModelIndex } from "../../core/turn/model-fallback.ts";
import { limitAfter } from "../../core/turn/output-limit.ts";
import { isPossible } from "../../core/turn/possible-usage.ts";
import { countFailure } from "../../core/turn/retry.ts";
import { truncatedFrom } from "../../core/turn/truncation.ts";
import type { AnswerBody, Turn } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { Held } from "../../registry/lanes/held.ts";
import { settleWrittenOff } from "../../registry/lost-reservation.ts";
import { reserveWithinBudgets } from "../lifecycle/daily-budget.ts";
import { ANSWER } from "./body-kinds.ts";
import { bodyOf, requestHash } from "./journal.ts";
import type { OpenStep } from "./open-step.ts";
import type { ReadyRequest } from "./request.ts";
import { commitRun, type StepState } from "./step-state.ts";

export type AskResult =
  /** The answered turn is in `state.pending`. */
  | { kind: "answered" }
  | { kind: "failed"; error: ModelError }
  /** Other runs reserved what was left of the day. */
  | { kind: "day_spent" }
  /** Other lanes of the run have what is left of a ceiling. */
  | { kind: "held"; held: Held };

export async function ask(step: OpenStep, request: ReadyRequest): Promise<AskResult> {
  const { world, state, model, invocation } = step;
  const { reservation } = request.admission;
  const reserved = await reserveWithinBudgets(world, state.run, {
    reservation,
    invocationMs: invocation.remainingMs(),
  }).catch((error: unknown) => {
    if (error instanceof Held) return error;
    throw error;
  });
  if (reserved instanceof Held) return { kind: "held", held: reserved };
  if (!reserved) return { kind: "day_spent" };
  state.run = reserved;
  const showProgress = world.showProgress?.(placeOf(state, request));
  let answer: ModelAnswer;
  try {
    answer = request.stored?.answer ?? (await model.ask(request.request, invocation.signal, showProgress));
  } catch (error) {
    // When the process is stopping, the next attempt charges the reservation.
    invocation.signal.throwIfAborted();
    if (error instanceof ModelError) return { kind: "failed", error };
    throw error;
  } finally {
    showProgress?.(0);
  }
  // In a replay the journal says what was made of it.
  await storeAnswer(step, request, world.inputsFor ? answer : judged(answer, request, state.run));
  return { kind: "answered" };
}

const placeOf = ({ run, number }: StepState, { turn }: ReadyRequest) => ({ runId: run.id, instruction: number, turn });

function judged(answer: ModelAnswer, request: ReadyRequest, run: Run): ModelAnswer {
  if (answer.truncated || !isMeasured(answer, request)) return answer;
  const { messages } = request.request;
  const isTruncated =
    truncatedFrom(answer.usage.inputTokens, { messages, counted: request.counted }, run) !== undefined;
  return isTruncated ? { ...answer, truncated: true } : answer;
}

/** By the server, and possible. */
const isMeasured = ({ usage, usageEstimated }: ModelAnswer, { bytes, admission }: ReadyRequest): boolean =>
  !usageEstimated && isPossible(usage, { bytes, maxOutputTokens: admission.maxOutputTokens });

async function storeAnswer({ world, state }: OpenStep, request: ReadyRequest, answer: ModelAnswer): Promise<void> {
  const { run, number } = state;
  const at = { instruction: number, turn: request.turn, attempt: run.attempt };
  const body: AnswerBody = {
    inputs: request.inputs,
    requestHash: requestHash(request.request),
    ...(request.inputs.opening ? { tools: request.request.tools } : {}),
    requestBytes: request.bytes,
    contextTokens: request.contextTokens,
    answer,
  };
  const answerKey = fileStoreKeys(run.id).answer(at);
  const { bytes, hash } = bodyOf(ANSWER, body);
  await world.files.put(answerKey, bytes);
  const usage = settledUsage(answer, request);
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
    milliseconds: answer.milliseconds,
    changes: [],
    ...modelOf(run),
  };
  const over = overCharge(run, { answer, usage, microUsd, request });
  await commitRun(world, state, {
    turn: answered,
    newTurn: true,
    // Stored with the charge itself, so that no attempt makes another call.
    run: settleWrittenOff(run, request.stored !== undefined, {
      ...settled(run, { answer, usage, microUsd, request }),
      ...over?.run,
      turn: request.turn,
    }),
    events: over?.events ?? [],
  });
  state.pending = { turn: answered, answer: body };
}

/** What the server measured; else what was reserved: a guess would leave the ceilings behind what is charged. */
function settledUsage(answer: ModelAnswer, request: ReadyRequest): Usage {
  if (isMeasured(answer, request)) return answer.usage;
  const { maxOutputTokens, reservation } = request.admission;
  return { inputTokens: reservation.tokens - maxOutputTokens, cachedTokens: 0, outputTokens: maxOutputTokens };
}

/** The model's place in the run's list, as turns store it. */
export function modelOf(run: Run): { model?: number } {
  const model = currentModelIndex(run);
  return model > 0 ? { model } : {};
}

interface Paid {
  answer: ModelAnswer;
  usage: Usage;
  microUsd: number;
  request: ReadyRequest;
}

function settled(run: Run, { answer, usage, microUsd, request }: Paid) {
  const { usage: said, milliseconds } = answer;
  const isWhole = usage === said && !answer.truncated;
  const speed = milliseconds > 0 && usage === said ? usage.outputTokens / (milliseconds / 1_000) : 0;
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
    tokensPerByte: isWhole ? calibrated(run, request.bytes, usage.inputTokens) : run.tokensPerByte,
    // Short answers measure the connection, not the model.
    tokensPerSecond: usage.outputTokens >= 100 && speed > 0 ? speed : run.tokensPerSecond,
    ...limitAfter(run, answer, request.admission.maxOutputTokens),
    ...learnedFrom(answer, run),
  };
}

/** The next adapter of this model, in another process perhaps, asks as this one had to learn. */
function learnedFrom({ dialect }: ModelAnswer, { profile }: Run): Pick<Run, "profile"> | undefined {
  const isNew = dialect !== undefined && JSON.stringify(dialect) !== JSON.stringify(profile.dialect);
  return isNew ? { profile: { ...profile, dialect } } : undefined;
}

/** A charge above its reservation, as it is recorded. */
function overCharge(run: Run, { answer, usage, microUsd, request }: Paid) {
  if (answer.usageEstimated) return undefined;
  const said = answer.usage;
  const { reservation } = request.admission;
  const charged = { microUsd: costOf(run.profile.price, said), tokens: said.inputTokens + said.outputTokens };
  const settled = { microUsd, tokens: usage.inputTokens + usage.outputTokens };
  const overReservation = addOverReservation(run.overReservation, reservation, { charged, settled });
  if (!overReservation) return undefined;
  const text = `The model server counts more for a call than was reserved: ${chargeText(charged)}, not ${chargeText(reservation)}.`;
  return { run: { overReservation }, events: [{ type: "notice" as const, text }] };
}

const chargeText = ({ microUsd, tokens }: Reservation): string => `${tokens} tokens ($${usdOf(microUsd).toFixed(4)})`;

/** After a failed call: if the server may have charged for it, the reservation counts as spent. */
export function settleFailure(run: Run, error: ModelError, request: ReadyRequest): { run: Partial<Run>; lost: Lost } {
  const lost = error.perhapsPaid ? lostTo(run, error, request) : { microUsd: 0, tokens: 0 };
  return {
    run: {
      reservedMicroUsd: 0,
      reservedTokens: 0,
      ...countFailure(run, error.kind),
      microUsd: run.microUsd + lost.microUsd,
      ...addModelCost(run, lost.microUsd),
      inputTokens: run.inputTokens + lost.tokens,
    },
    lost,
  };
}

interface Lost {
  microUsd: number;
  tokens: number;
}

/** All that was reserved; of a stream that broke off, the prompt and what had been written. */
function lostTo(run: Run, { received }: ModelError, { admission }: ReadyRequest): Lost {
  const all = { microUsd: run.reservedMicroUsd, tokens: run.reservedTokens };
  if (received === undefined) return all;
  const { maxOutputTokens, reservation } = admission;
  const written = atMostTokens(byteLength(received), { tokensPerByte: 0 });
  const outputTokens = Math.min(maxOutputTokens, written);
  const usage = { inputTokens: reservation.tokens - maxOutputTokens, cachedTokens: 0, outputTokens };
  return {
    microUsd: Math.min(all.microUsd, costOf(run.profile.price, usage)),
    tokens: Math.min(all.tokens, usage.inputTokens + outputTokens),
  };
}

/** What a stream had brought when it broke off: nothing is done with it, but it can be read. */
export async function keepReceived(
  { world, state }: OpenStep,
  { turn }: ReadyRequest,
  { received }: ModelError,
): Promise<void> {
  if (received === undefined) return;
  const { id, attempt, failures } = state.run;
  const at = { instruction: state.number, turn, attempt };
  await world.files.put(fileStoreKeys(id).brokenAnswer(at, failures), encodeText(received));
}
