/** What a Task state's resource does with its arguments: invoke a function, or start an execution. */
import type { Json } from "../core/text/json.ts";
import { call } from "./asl-invoke.ts";
import { failed, type Outcome } from "./asl-outcome.ts";
import { INVOKE, type Task } from "./asl-schema.ts";
import { copyOf, type Walk } from "./asl-walk.ts";

export async function perform(walk: Walk, state: Task, asked: Json): Promise<Outcome<Json>> {
  const isInvoke = state.Resource === INVOKE;
  const fields = fieldsOf(asked);
  const name = isInvoke ? String(fields.FunctionName) : state.Resource;
  const task = walk.tasks[name];
  if (!task) return failed("Lambda.ResourceNotFoundException", `Function not found: ${name}`);
  const outcome = await call({
    task,
    // A copy: nothing that a function does to its payload may come back.
    payload: copyOf(isInvoke ? (fields.Payload ?? null) : asked),
    clock: walk.clock,
    signal: walk.signal,
    timeoutMs: state.TimeoutSeconds === undefined ? Number.POSITIVE_INFINITY : state.TimeoutSeconds * 1000,
  });
  if (isInvoke) return asInvocation(outcome);
  if (outcome.ok) walk.startedNext = { name: String(fields.Name), input: fields.Input ?? null };
  return outcome;
}

const fieldsOf = (asked: Json): { [name: string]: Json } =>
  typeof asked === "object" && asked !== null && !Array.isArray(asked) ? asked : {};

/** Lambda wraps what a function answers, and tells as JSON what it threw. */
function asInvocation(outcome: Outcome<Json>): Outcome<Json> {
  if (outcome.ok) return { ok: true, value: { StatusCode: 200, Payload: outcome.value } };
  const { error, cause } = outcome.failure;
  if (cause === undefined) return outcome;
  return failed(error, JSON.stringify({ errorType: error, errorMessage: cause, trace: [] }));
}
