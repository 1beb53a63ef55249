/** One turn: prepares the request, asks the model, runs the tools that it calls, commits. */
import { defined } from "../../core/defined.ts";
import type { ModelError } from "../../core/errors.ts";
import { LONGEST_WAIT_MS, SHORT_WAIT_MS } from "../../core/limits.ts";
import type { EventBody } from "../../core/run/event.ts";
import { isOverCharged } from "../../core/run/over-reservation.ts";
import type { Run } from "../../core/run/run.ts";
import { oneLine } from "../../core/text/cut.ts";
import { moment } from "../../core/text/format.ts";
import { canFallBack, modelAfter } from "../../core/turn/model-fallback.ts";
import type { NextRequest } from "../../core/turn/next-turn.ts";
import { afterFailure, triesOf } from "../../core/turn/retry.ts";
import type { StuckCause } from "../../core/turn/stuck.ts";
import { turnWithoutAnswer } from "../../core/turn/turn.ts";
import type { Held } from "../../registry/lanes/held.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { onDailyBudgetSpent } from "../lifecycle/daily-budget.ts";
import type { Ending } from "../lifecycle/ending.ts";
import { outlastsMinutes, waitCommit } from "../lifecycle/wait.ts";
import type { World } from "../world.ts";
import { ask, modelOf } from "./ask.ts";
import { commitTurn, runAndCommitTools } from "./commit-turn.ts";
import type { OpenStep } from "./open-step.ts";
import type { ReadyRequest } from "./request.ts";
import { type FailedCall, keepReceived, lostEvent, settleFailure } from "./settle-failure.ts";
import { commitRun } from "./step-state.ts";
import { prepareOrRepeat } from "./stored-answer.ts";
import { switchToNextModel } from "./switch-model.ts";

export type TurnResult =
  | { kind: "continue" }
  | { kind: "out_of_time" }
  | { kind: "stuck"; cause: StuckCause }
  | { kind: "wait"; seconds: number }
  | { kind: "end"; ending: Ending };

/** Until another lane of the run has its answer, or a part of it. */
const HELD_SECONDS = 2;

const CONTINUE: TurnResult = { kind: "continue" };

export async function takeTurn(step: OpenStep, next: NextRequest): Promise<TurnResult> {
  const { world, state, invocation } = step;
  if (isOverCharged(state.run)) return { kind: "end", ending: overCharged };
  const request = await prepareOrRepeat(step, next);
  if (request.kind === "out_of_time") return request;
  if (request.kind === "too_long") return { kind: "stuck", cause: tooLong(state.run) };
  if (request.kind === "refused") {
    const { ceiling, detail, neededMicroUsd } = request.admission;
    if (ceiling === "daily") return onDailyBudgetSpent(world, state, request.admission);
    return { kind: "end", ending: { status: "partial", reason: ceiling, detail, ...defined({ neededMicroUsd }) } };
  }
  const answer = await ask(step, request);
  if (answer.kind === "day_spent") return CONTINUE;
  if (answer.kind === "held") return onHeld(step, answer.held);
  if (answer.kind === "failed") return afterFailedCall(step, request, answer);
  // The answer is stored: the next invocation has the time to run the tools that it calls.
  if (!enoughTimeToApply(state, invocation)) return { kind: "out_of_time" };
  await runAndCommitTools(step);
  return CONTINUE;
}

/** What other lanes have in flight may return; if there is nothing, what is left is looked at once more. */
async function onHeld({ world: { registry }, state }: OpenStep, { ceiling, mayReturn }: Held): Promise<TurnResult> {
  const { run } = state;
  if (mayReturn || !ceiling) return { kind: "wait", seconds: HELD_SECONDS };
  const now = (await registry.run(run.id)) ?? run;
  if (accountsOf(now).every((amount, index) => amount === accountsOf(run)[index]))
    return { kind: "end", ending: { status: "partial", reason: ceiling, detail: USED_UP } };
  const { turns, microUsd, inputTokens, outputTokens } = now;
  state.run = { ...run, turns, microUsd, inputTokens, outputTokens };
  return CONTINUE;
}

const USED_UP = "The ceiling of this run is reached: what is left of it is less than its next call may take.";

const accountsOf = ({ turns, microUsd, inputTokens, outputTokens }: Run): number[] => [
  ...[turns, microUsd, inputTokens, outputTokens],
];

async function afterFailedCall(step: OpenStep, request: ReadyRequest, call: FailedCall): Promise<TurnResult> {
  const { world, state, invocation } = step;
  const { error } = call;
  await keepReceived(step, request, error);
  if (error.kind === "timed_out" || error.kind === "context_exceeded") {
    await commitWithoutAnswer(step, request, call);
    return CONTINUE;
  }
  const { run, lost } = settleFailure(state.run, request, call);
  const tries = triesOf(state.run, error.kind);
  const hasNext = modelAfter(state.run) !== undefined;
  const then = afterFailure({ kind: error.kind, hasNext, tries, random: world.random(), ...retryAfter(error) });
  const events = lostEvent(lost, error.message);
  if (then.do === "retry") {
    const milliseconds = Math.min(then.afterMs, SHORT_WAIT_MS);
    const { message: why } = error;
    const retry = { type: "retry", instruction: state.number, turn: request.turn, why, tries, milliseconds } as const;
    await commitRun(world, state, { run, events: [...events, retry] });
    await world.clock.sleep(milliseconds, invocation.signal);
    return CONTINUE;
  }
  if (then.do === "give_up") {
    const ending = unanswered(error, `${patienceText(error, tries)}${retryTimeText(world, then)}`);
    return switchOrEnd(step, error, { run, events, ending });
  }
  const wait = { reason: "rate_limited", why: error.message, seconds: then.seconds, run, events } as const;
  const tooLate = outlastsMinutes(world, state.run, wait);
  if (tooLate) return switchOrEnd(step, error, { run, events, ending: tooLate });
  await commitRun(world, state, waitCommit(world, wait));
  return { kind: "wait", seconds: then.seconds };
}

/** Another model may take over; otherwise the run ends. */
async function switchOrEnd(
  { world, state }: OpenStep,
  { kind, message }: ModelError,
  { run, events, ending }: { run: Partial<Run>; events: EventBody[]; ending: Ending },
): Promise<TurnResult> {
  if (canFallBack(kind) && (await switchToNextModel(world, state, { why: message, run, events }))) return CONTINUE;
  await commitRun(world, state, { run, events });
  return { kind: "end", ending };
}

const retryAfter = (error: ModelError) =>
  error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };

/** Timeouts and refused windows are turns too: they count, and the next request is made smaller. */
async function commitWithoutAnswer(step: OpenStep, request: ReadyRequest, call: FailedCall): Promise<void> {
  const { world, state } = step;
  const { error } = call;
  const { run, lost } = settleFailure(state.run, request, call);
  const timedOut = error.kind === "timed_out";
  const turn = {
    instruction: state.number,
    turn: request.turn,
    ...turnWithoutAnswer(state.run, world.clock.now()),
    segment: request.segment,
    ...modelOf(state.run),
    ...(timedOut ? {} : { serverSaid: oneLine(error.message, SAID_CHARS) }),
  };
  const correction = timedOut ? "The last answer took too long and was not received. Write less at once." : "";
  await commitTurn(step, {
    turn,
    outcome: timedOut ? "timed_out" : "context_exceeded",
    effects: { inputs: request.inputs, results: [], correction, verdicts: [] },
    contextTokens: request.contextTokens,
    events: lostEvent(lost, error.message),
    run: { ...run, failures: 0 },
    isNew: true,
  });
}

const SAID_CHARS = 300;

const overCharged: Ending = {
  status: "partial",
  reason: "over_reservation",
  detail:
    "The model server charged more for its calls than their calculated maximum, and with that the ceiling of this run is passed.",
};

const tooLong = (run: Run): StuckCause => ({
  kind: "too_long",
  detail: `the task and this instruction alone do not fit the model's context window of ${run.profile.contextWindow} tokens. Shorten the task, split the instruction, or use a model with a larger window`,
});

const patienceText = ({ kind }: ModelError, tries: number): string =>
  kind === "rate_limited" && tries > 1 ? ` It was called ${tries} times, and that is as long as a run waits.` : "";

const retryTimeText = (world: World, { tooLongMs }: { tooLongMs?: number }): string =>
  tooLongMs === undefined
    ? ""
    : ` It asks to be called again at ${moment(world.clock.now() + tooLongMs)}, and a run waits ${LONGEST_WAIT_MS / 3_600_000} hours at most.`;

const unanswered = ({ kind, message }: ModelError, retryTime: string): Ending => ({
  status: "failed",
  reason: kind === "credentials" ? "credentials" : "provider",
  detail: `${message}${retryTime}`,
});
