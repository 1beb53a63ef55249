/** A Task state: perform, retry, catch. */
import type { Json } from "../core/text/json.ts";
import type { Failure, Outcome } from "./asl-outcome.ts";
import { perform } from "./asl-perform.ts";
import { catcherOf, createRetries } from "./asl-retry.ts";
import type { Task } from "./asl-schema.ts";
import {
  bindingsOf,
  historyFull,
  isEvaluation,
  isTooLarge,
  leave,
  type Move,
  type Position,
  recordEvents,
  sleep,
  tooLarge,
  type Walk,
} from "./asl-walk.ts";

export async function visitTask(walk: Walk, state: Task, place: Position): Promise<Outcome<Move>> {
  const delayAfter = createRetries(state.Retry, walk.random);
  for (;;) {
    const outcome = await attempt(walk, state, place.input);
    if (outcome.ok || walk.signal.aborted) return outcome;
    if (isEvaluation(outcome.failure)) recordEvents(walk, 1);
    const delayMs = delayAfter(outcome.failure);
    if (delayMs === undefined) return caught(walk, { state, place, failure: outcome.failure });
    const { error } = outcome.failure;
    walk.observe({ execution: walk.execution, state: place.name, kind: "retrying", error, delayMs });
    await sleep(walk, delayMs);
    if (walk.signal.aborted) return outcome;
    walk.transitions += 1;
  }
}

async function attempt(walk: Walk, state: Task, input: Json): Promise<Outcome<Move>> {
  const bindings = bindingsOf(walk, { input });
  const asked = state.Arguments ? await state.Arguments(bindings) : { ok: true as const, value: input };
  if (!asked.ok) return asked;
  if (isTooLarge(asked.value)) return tooLarge;
  if (!recordEvents(walk, 2)) return historyFull;
  const result = await perform(walk, state, asked.value);
  recordEvents(walk, 1);
  if (!result.ok) return result;
  if (isTooLarge(result.value)) return tooLarge;
  return leave(walk, { way: state, states: { input, result: result.value }, otherwise: result.value });
}

export async function caught(
  walk: Walk,
  at: { state: Pick<Task, "Catch">; place: Position; failure: Failure },
): Promise<Outcome<Move>> {
  const { place, failure } = at;
  const catcher = catcherOf(at.state.Catch, failure);
  if (!catcher) return { ok: false, failure };
  const { error } = failure;
  walk.observe({ execution: walk.execution, state: place.name, kind: "caught", error, next: catcher.Next });
  const errorOutput: Json = { Error: error, ...(failure.cause !== undefined && { Cause: failure.cause }) };
  return leave(walk, { way: catcher, states: { input: place.input, errorOutput }, otherwise: errorOutput });
}
