/** Prepares the next request of a step: the conversation from the journal, made to fit the window and the budgets. */
import { CALL_FLOOR_MS, INVOCATION_MS, INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import type { ModelRequest, ToolSpec } from "../../core/ports.ts";
import { activeMsAt } from "../../core/run/active-time.ts";
import { type Admission, admit, leftInWords } from "../../core/run/budget.ts";
import { claimedUsage } from "../../core/run/over-reservation.ts";
import type { Run } from "../../core/run/run.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { Conversation } from "../../core/turn/conversation.ts";
import { fit, measure, outputRoom, type RequestFit } from "../../core/turn/fit.ts";
import { boundTokens, type CountedRequest } from "../../core/turn/input-bound.ts";
import { modelPatch } from "../../core/turn/model-fallback.ts";
import { type NextRequest, RESUMED, turnCapOf } from "../../core/turn/next-turn.ts";
import { wantedOutput } from "../../core/turn/output-limit.ts";
import type { AnswerBody, TurnInputs } from "../../core/turn/turn.ts";
import type { TurnAddress } from "../../core/turn/turn-address.ts";
import { dailyUsageOf } from "../lifecycle/daily-budget.ts";
import { modelOf } from "./ask.ts";
import { firstMessage, type PromptContext, systemMessage } from "./first-message.ts";
import { openConversation } from "./open-conversation.ts";
import type { OpenStep } from "./open-step.ts";
import { exchangesIn, inputsOf, lastCounted } from "./step-state.ts";

export interface ReadyRequest {
  kind: "ready";
  turn: number;
  segment: number;
  inputs: TurnInputs;
  request: ModelRequest;
  bytes: number;
  contextTokens: number;
  admission: Extract<Admission, { allowed: true }>;
  counted: CountedRequest | undefined;
  /** Its answer, where an attempt that died had stored one. */
  stored?: AnswerBody;
}

export type RequestResult =
  | ReadyRequest
  | { kind: "refused"; admission: Extract<Admission, { allowed: false }> }
  | { kind: "too_long" }
  | { kind: "out_of_time" };

interface RequestContext {
  step: OpenStep;
  next: NextRequest;
  /** With the active time up to this moment. */
  run: Run;
  /** As recorded, in a replay; otherwise as they are now. */
  inputs: TurnInputs;
  recorded: boolean;
}

const COOL = 0.2;
const HEATED = 0.9;

export async function prepareRequest(step: OpenStep, next: NextRequest): Promise<RequestResult> {
  const { world, state } = step;
  const remainingMs = step.invocation.remainingMs();
  if (!enoughTime(state.run, remainingMs)) return { kind: "out_of_time" };
  const at = { instruction: state.number, turn: next.turn };
  useRecordedModel(step, at);
  const run = withActiveTime(state.run, world.clock.now());
  const day = await dailyUsageOf(world, run);
  const left = leftInWords({ ...run, turn: next.turn - 1 - run.forgivenTurn }, run.options.budget, {
    turnCap: step.turnCap ?? turnCapOf(state.number),
    day,
  });
  const now: TurnInputs = {
    elision: NOTHING_DROPPED,
    left,
    maxOutputTokens: run.profile.maxOutputTokens,
    ...modelOf(run),
  };
  const recorded = world.inputsFor?.(at, now);
  const fitted = await fitRequest({ step, next, run, inputs: recorded ?? now, recorded: recorded !== undefined });
  if (!fitted) return { kind: "too_long" };
  const { bytes, messages, elision, inputTokens } = fitted.fitted;
  const counted = lastCounted(state, { ...fitted.fitted, segment: fitted.segment });
  const timeoutMs = timeoutOf(run, remainingMs);
  const admission = admit({
    spent: claimedUsage(run),
    budget: run.options.budget,
    profile: run.profile,
    inputTokens: Math.min(boundTokens(fitted.fitted, counted), run.profile.contextWindow),
    wantedOutput: recorded?.maxOutputTokens ?? wantedOutput(run, { bytes, timeoutMs, halvings: next.halvings }),
    day,
  });
  if (!admission.allowed) return { kind: "refused", admission };
  const { maxOutputTokens } = admission;
  const temperature = run.profile.temperature
    ? { temperature: recorded?.temperature ?? (next.heated ? HEATED : COOL) }
    : {};
  const { opening, segment, begins } = fitted;
  const request: ModelRequest = {
    messages,
    tools: specsOf(step),
    maxOutputTokens,
    timeoutMs,
    ...temperature,
    ...(run.options.seed === undefined ? {} : { seed: run.options.seed }),
    ...(run.options.effort === undefined ? {} : { effort: run.options.effort }),
    ...(run.options.stream === false ? { stream: false } : {}),
  };
  const inputs: TurnInputs = {
    ...(begins ? { opening } : {}),
    elision,
    left: recorded?.left ?? left,
    maxOutputTokens,
    ...temperature,
    ...modelOf(run),
  };
  const contextTokens = inputTokens;
  return { kind: "ready", turn: next.turn, segment, inputs, request, bytes, contextTokens, admission, counted };
}

const NOTHING_DROPPED: TurnInputs["elision"] = { views: 0, contents: 0 };

const specsOf = ({ tools }: OpenStep): ToolSpec[] => tools.map(({ spec }) => spec);

/** In a replay: the journal records which model answered each turn, but not why it was switched. */
function useRecordedModel({ world, state }: OpenStep, at: TurnAddress): void {
  if (!world.inputsFor) return;
  const now: TurnInputs = { elision: NOTHING_DROPPED, left: "", maxOutputTokens: 1, ...modelOf(state.run) };
  const { model = 0 } = world.inputsFor(at, now);
  state.run = { ...state.run, ...modelPatch(state.run, model) };
}

type Opening = NonNullable<TurnInputs["opening"]>;

interface FittedRequest {
  fitted: RequestFit & { conversation: Conversation };
  segment: number;
  /** A conversation begins with this request. */
  begins: boolean;
  opening: Opening;
}

/** Goes on with the conversation if it fits; otherwise begins a fresh one with a progress note. */
async function fitRequest(context: RequestContext): Promise<FittedRequest | undefined> {
  const { next, inputs, recorded } = context;
  const known = inputsOf(context.step.state, next.segment);
  const begins = recorded ? inputs.opening !== undefined : next.fresh !== undefined;
  if (!begins && known.opening) {
    const elision = recorded ? inputs.elision : known.elision;
    const fitted = fitConversation(context, { opening: known.opening, segment: next.segment, elision });
    if (fitted) return { fitted, segment: next.segment, begins: false, opening: known.opening };
  }
  const forgiven = next.fresh === RESUMED ? context.step.restartedBecause : undefined;
  const why = forgiven ?? next.fresh ?? "the conversation had filled the context window";
  const segment = next.fresh === undefined ? next.segment + 1 : next.segment;
  const opening = inputs.opening ?? (await openConversation(context.step, { why, fresh: next.fresh }));
  const fitted = fitConversation(context, { opening, segment, elision: NOTHING_DROPPED });
  return fitted && { fitted, segment, begins: true, opening };
}

/** A recorded request is rebuilt as it was sent, without deciding again what to drop. */
function fitConversation(
  { step, run, inputs, recorded }: RequestContext,
  { opening, segment, elision }: { opening: Opening; segment: number; elision: TurnInputs["elision"] },
): FittedRequest["fitted"] | undefined {
  const { state } = step;
  const full: PromptContext = { ...step.context, opening };
  const exchanges = exchangesIn(state, segment);
  const conversation: Conversation = {
    system: maskSecrets(systemMessage(full)),
    opening: maskSecrets(firstMessage(full)),
    exchanges,
  };
  const measured = { conversation, tools: specsOf(step), left: inputs.left, calibration: run, elision };
  if (recorded) return { ...measure(measured), conversation };
  const mustShrink = state.entries.at(-1)?.turn.outcome === "context_exceeded" && exchanges.length > 1;
  const fitted = fit({ ...measured, profile: run.profile, mustShrink });
  return fitted && { ...fitted, conversation };
}

const withActiveTime = (run: Run, now: number): Run => ({ ...run, activeMs: activeMsAt(run, now) });

function timeoutOf(run: Run, remainingMs: number): number {
  const invocation = remainingMs - INVOCATION_RESERVE_MS;
  const { minutes } = run.options.budget;
  const budget = minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000 - run.activeMs;
  return Math.max(1_000, Math.min(invocation, budget));
}

/** Whether a useful answer fits into the time left, at the model's speed so far; a fresh invocation always has enough. */
function enoughTime({ tokensPerSecond, profile }: Run, remainingMs: number): boolean {
  const answerMs = tokensPerSecond > 0 ? (outputRoom(profile) / tokensPerSecond) * 1_000 : 0;
  const wantedMs = Math.max(CALL_FLOOR_MS, answerMs + INVOCATION_RESERVE_MS);
  return remainingMs >= Math.min(wantedMs, INVOCATION_MS / 2);
}
