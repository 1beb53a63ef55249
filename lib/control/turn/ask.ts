/** Asks the model: reserves the maximum cost, calls, stores the answer, settles. A paid answer is never lost. */
import { ModelError } from "../../core/errors.ts";
import type { ModelAnswer, Usage } from "../../core/ports.ts";
import { costOf, type Reservation, usdOf } from "../../core/run/budget.ts";
import { addOverReservation } from "../../core/run/over-reservation.ts";
import type { Run } from "../../core/run/run.ts";
import { byteLength } from "../../core/text/file-text.ts";
import { type Received, usageAtMost } from "../../core/turn/call-bound.ts";
import { calibrated, distinctCharacters } from "../../core/turn/estimate.ts";
import { addModelCost, currentModelIndex } from "../../core/turn/model-fallback.ts";
import { limitAfter, speedAfter } from "../../core/turn/output-limit.ts";
import { isPossible } from "../../core/turn/possible-usage.ts";
import { truncatedFrom } from "../../core/turn/truncation.ts";
import type { AnswerBody, Turn } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { Held } from "../../registry/lanes/held.ts";
import { foundAnswerEvents, settleWrittenOff } from "../../registry/lost-reservation.ts";
import { reserveWithinBudgets } from "../lifecycle/daily-budget.ts";
import { ANSWER } from "./body-kinds.ts";
import { bodyOf, requestHash } from "./journal.ts";
import type { OpenStep } from "./open-step.ts";
import type { ReadyRequest } from "./request.ts";
import { settleStopped } from "./settle-failure.ts";
import { commitRun, type StepState } from "./step-state.ts";
import { riskAtStart, watchCall } from "./watch-call.ts";

export type AskResult =
  /** The answered turn is in `state.pending`. */
  | { kind: "answered" }
  | { kind: "failed"; error: ModelError; received: Received }
  /** Other runs reserved what was left of the day. */
  | { kind: "day_spent" }
  /** Other lanes of the run have what is left of a ceiling. */
  | { kind: "held"; held: Held };

export async function ask(step: OpenStep, request: ReadyRequest): Promise<AskResult> {
  const { world, state, model, invocation } = step;
  const { reservation } = request.admission;
  const reserved = await reserveWithinBudgets(world, state.run, {
    reservation: { ...reservation, atRisk: riskAtStart(world, state.run, request) },
    invocationMs: invocation.remainingMs(),
  }).catch((error: unknown) => {
    if (error instanceof Held) return error;
    throw error;
  });
  if (reserved instanceof Held) return { kind: "held", held: reserved };
  if (!reserved) return { kind: "day_spent" };
  state.run = reserved;
  const show = world.showProgress?.(placeOf(state, request));
  const call = watchCall(world, { run: reserved, request, show });
  let answer: ModelAnswer;
  try {
    const signal = AbortSignal.any([invocation.signal, call.signal]);
    answer = request.stored?.answer ?? (await model.ask(request.request, signal, call.onProgress));
  } catch (error) {
    const received = call.received();
    await call.end();
    if (invocation.signal.aborted) await settleStopped(step, request, received);
    if (error instanceof ModelError) return { kind: "failed", error, received };
    throw error;
  } finally {
    show?.(0);
    await call.end();
  }
  // In a replay the journal says what was made of it.
  const heard = world.inputsFor ? answer : judged(answer, request, state.run);
  await storeAnswer(step, request, { answer: heard, received: call.received() });
  return { kind: "answered" };
}

const placeOf = ({ run, number }: StepState, { turn }: ReadyRequest) => ({ runId: run.id, instruction: number, turn });

function judged(answer: ModelAnswer, request: ReadyRequest, run: Run): ModelAnswer {
  if (answer.truncated || answer.usageEstimated) return answer;
  const { messages } = request.request;
  const isTruncated =
    truncatedFrom(answer.usage.inputTokens, { messages, counted: request.counted }, run) !== undefined;
  return isTruncated ? { ...answer, truncated: true } : answer;
}

interface Heard {
  answer: ModelAnswer;
  /** Of a stream, with the thoughts that it showed. */
  received: Received;
}

async function storeAnswer({ world, state }: OpenStep, request: ReadyRequest, heard: Heard): Promise<void> {
  const { answer } = heard;
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
  const usage = settledUsage(run, request, heard);
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
    events: [...(request.stored ? foundAnswerEvents(run) : []), ...(over?.events ?? [])],
  });
  state.pending = { turn: answered, answer: body };
}

/** What the server measured; else what it can be at most: a guess would leave the ceilings behind what is charged. */
function settledUsage(run: Run, request: ReadyRequest, { answer, received }: Heard): Usage {
  const { usage, usageEstimated, text, toolCalls, truncated, milliseconds } = answer;
  const said = toolCalls.length > 0 || text !== "" ? [text, ...toolCalls.map((call) => call.arguments)] : [];
  const isCounted =
    !usageEstimated &&
    isPossible(usage, {
      bytes: request.bytes,
      maxOutputTokens: request.admission.maxOutputTokens,
      sent: truncated ? 0 : distinctCharacters(request.request.messages),
      written: said.length > 0 ? distinctCharacters(said) : 0,
    });
  if (isCounted) return usage;
  const bytes = Math.max(received.bytes, byteLength(said.join("")));
  // When a stored answer was first seen is not known.
  const unseenMs = request.stored ? milliseconds : Math.min(milliseconds, received.unseenMs);
  return usageAtMost(run, request, { bytes, unseenMs });
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
    tokensPerSecond: usage === said ? speedAfter(run, { usage, milliseconds }) : run.tokensPerSecond,
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
