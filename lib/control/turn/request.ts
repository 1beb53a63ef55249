/** The next request of an instruction: the conversation from the journal, made to fit, with the limits that hold. */

import { CALL_FLOOR_MS, INVOCATION_MS, INVOCATION_RESERVE_MS, OUTPUT_FLOOR_TOKENS } from "../../core/limits.ts";
import type { ModelRequest, ToolSpec } from "../../core/ports.ts";
import { type Admission, admit, leftInWords } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import type { Conversation } from "../../core/turn/conversation.ts";
import { atMostTokens } from "../../core/turn/estimate.ts";
import { asking } from "../../core/turn/fallback.ts";
import { type Fitted, fit, measure, outputRoom } from "../../core/turn/fit.ts";
import { listingOf } from "../../core/turn/listing.ts";
import { type NextTurn, turnCapOf } from "../../core/turn/next-turn.ts";
import { progressNote } from "../../core/turn/note.ts";
import type { TurnInputs } from "../../core/turn/turn.ts";
import { dailyUsageAtPrice } from "../lifecycle/daily-budget.ts";
import type { TurnAddress, World } from "../world.ts";
import { modelOf } from "./ask.ts";
import { firstMessage, type PromptContext, systemMessage } from "./first-message.ts";
import { amendmentsOf, exchangesIn, exchangesOf, type InstructionState, inputsOf } from "./instruction-state.ts";

type Ask = Extract<NextTurn, { do: "ask" }>;

export interface Prepared {
  segment: number;
  inputs: TurnInputs;
  request: ModelRequest;
  bytes: number;
  contextTokens: number;
  admission: Extract<Admission, { allowed: true }>;
}

export type Preparation = { ready: Prepared } | { refused: Extract<Admission, { allowed: false }> } | { tooLong: true };

export interface Preparing {
  world: World;
  state: InstructionState;
  told: Omit<PromptContext, "opening">;
  tools: ToolSpec[];
  ask: Ask;
  remainingMs: number;
}

const COOL = 0.2;
const HEATED = 0.9;

export async function prepareRequest(asked: Preparing): Promise<Preparation> {
  const { state, ask } = asked;
  const at = { instruction: state.number, turn: ask.turn };
  askAsRecorded(asked, at);
  const run = upToDate(state.run, asked.world.clock.now());
  const day = await dailyUsageAtPrice(asked.world, run.profile.price);
  const left = leftInWords({ ...run, turn: ask.turn - 1 - run.forgivenTurn }, run.options.budget, {
    turnCap: turnCapOf(state.number),
    day,
  });
  const provisional: TurnInputs = {
    elision: { views: 0, contents: 0 },
    left,
    maxOutputTokens: run.profile.maxOutputTokens,
    ...modelOf(run),
  };
  const recorded = asked.world.inputsFor?.(at, provisional);
  const placed = await place({ ...asked, run, inputs: recorded ?? provisional, recorded: recorded !== undefined });
  if (!placed) return { tooLong: true };
  const admission = admit({
    spent: run,
    budget: run.options.budget,
    profile: run.profile,
    inputTokens: Math.min(atMostTokens(placed.fitted.bytes, run), run.profile.contextWindow),
    wantedOutput: recorded?.maxOutputTokens ?? wantedOutput(run, placed.fitted, asked),
    day,
  });
  if (!admission.allowed) return { refused: admission };
  const temperature = run.profile.temperature
    ? { temperature: recorded?.temperature ?? (ask.heated ? HEATED : COOL) }
    : {};
  const { opening, segment, begins, fitted } = placed;
  const inputs: TurnInputs = {
    ...(begins ? { opening } : {}),
    elision: fitted.elision,
    left: recorded?.left ?? left,
    maxOutputTokens: admission.maxOutputTokens,
    ...temperature,
    ...modelOf(run),
  };
  const request: ModelRequest = {
    messages: fitted.messages,
    tools: asked.tools,
    maxOutputTokens: admission.maxOutputTokens,
    timeoutMs: timeoutOf(run, asked.remainingMs),
    ...temperature,
    ...(run.options.seed === undefined ? {} : { seed: run.options.seed }),
  };
  return {
    ready: { segment, inputs, request, bytes: fitted.bytes, contextTokens: fitted.inputTokens, admission },
  };
}

/** Why another model was asked is not in the journal of turns: which one it was is. */
function askAsRecorded({ world, state }: Preparing, at: TurnAddress): void {
  const now: TurnInputs = { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1, ...modelOf(state.run) };
  const { model = 0 } = world.inputsFor?.(at, now) ?? now;
  state.run = { ...state.run, ...asking(state.run, model) };
}

interface Placed {
  fitted: Fitted;
  segment: number;
  /** Whether a conversation begins here; else one goes on. */
  begins: boolean;
  opening: NonNullable<TurnInputs["opening"]>;
}

interface Placing extends Preparing {
  /** As it stands at this moment. */
  run: Run;
  inputs: TurnInputs;
  recorded: boolean;
}

/** Goes on with the conversation if it fits; else begins a fresh one with a progress note. */
async function place(asked: Placing): Promise<Placed | undefined> {
  const { state, ask, inputs, recorded } = asked;
  const known = inputsOf(state, ask.segment);
  const begins = recorded ? inputs.opening !== undefined : ask.fresh !== undefined;
  if (!begins && known.opening) {
    const elision = recorded ? inputs.elision : known.elision;
    const fitted = fitTo(asked, { opening: known.opening, segment: ask.segment, elision, left: inputs.left });
    if (fitted) return { fitted, segment: ask.segment, begins: false, opening: known.opening };
  }
  const fresh = ask.fresh ?? "the conversation had filled the context window";
  const segment = ask.fresh === undefined ? ask.segment + 1 : ask.segment;
  const opening = inputs.opening ?? (await openingNow(asked, fresh));
  const fitted = fitTo(asked, { opening, segment, elision: { views: 0, contents: 0 }, left: inputs.left });
  return fitted && { fitted, segment, begins: true, opening };
}

/** What was decided once is not decided again: a recorded request is taken as it was. */
function fitTo(
  { state, told, tools, run, recorded }: Placing,
  at: { opening: NonNullable<TurnInputs["opening"]>; segment: number; elision: TurnInputs["elision"]; left: string },
): Fitted | undefined {
  const full: PromptContext = { ...told, opening: at.opening };
  const exchanges = exchangesIn(state, at.segment);
  const conversation: Conversation = { system: systemMessage(full), opening: firstMessage(full), exchanges };
  const measured = { conversation, tools, left: at.left, calibration: run, elision: at.elision };
  if (recorded) return measure(measured);
  const mustShrink = state.entries.at(-1)?.turn.outcome === "context_exceeded" && exchanges.length > 1;
  return fit({ ...measured, profile: run.profile, mustShrink });
}

async function openingNow({ world, state }: Preparing, fresh: string): Promise<NonNullable<TurnInputs["opening"]>> {
  const files = await world.registry.allFiles(state.run.id);
  const exchanges = exchangesOf(state);
  const verdicts = state.entries.flatMap((entry) => entry.effects?.verdicts ?? []);
  const amendments = amendmentsOf(state);
  return {
    listing: listingOf(files, state.run.profile.contextWindow),
    note: exchanges.length > 0 ? progressNote(exchanges, { why: fresh, verdicts, amendments }) : "",
    why: fresh,
  };
}

const upToDate = (run: Run, now: number): Run => ({
  ...run,
  activeMs: run.activeMs + Math.max(0, now - (run.markedAt ?? now)),
});

/** As long as the window, the model, the time left and earlier time-outs allow. */
function wantedOutput(run: Run, fitted: Fitted, { ask, remainingMs }: Preparing): number {
  // The provider may count more than we think: what it might count at most stays free.
  const byWindow = Math.max(OUTPUT_FLOOR_TOKENS, run.profile.contextWindow - atMostTokens(fitted.bytes, run));
  const seconds = timeoutOf(run, remainingMs) / 1_000;
  const bySpeed = run.tokensPerSecond > 0 ? Math.floor(run.tokensPerSecond * seconds) : Number.POSITIVE_INFINITY;
  const byTimeouts = run.profile.maxOutputTokens / 2 ** ask.halvings;
  return Math.max(1, Math.min(Math.floor(byTimeouts), byWindow, Math.max(OUTPUT_FLOOR_TOKENS, bySpeed)));
}

function timeoutOf(run: Run, remainingMs: number): number {
  const invocation = remainingMs - INVOCATION_RESERVE_MS;
  const { minutes } = run.options.budget;
  const budget = minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000 - run.activeMs;
  return Math.max(1_000, Math.min(invocation, budget));
}

/** For an answer of use, at the speed that the model has shown; a fresh invocation has time for any. */
export function enoughTime({ tokensPerSecond, profile }: Run, remainingMs: number): boolean {
  const answerMs = tokensPerSecond > 0 ? (outputRoom(profile) / tokensPerSecond) * 1_000 : 0;
  const wantedMs = Math.max(CALL_FLOOR_MS, answerMs + INVOCATION_RESERVE_MS);
  return remainingMs >= Math.min(wantedMs, INVOCATION_MS / 2);
}
