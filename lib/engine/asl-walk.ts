/** The state of one execution: variables and history with their limits, and how it leaves a state. */
import { HISTORY_EVENTS, STATE_BYTES } from "../core/limits.ts";
import type { Clock } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import type { Expression } from "./asl-expression.ts";
import type { TaskFunction } from "./asl-invoke.ts";
import { type Failure, failed, type Outcome } from "./asl-outcome.ts";

/** What an observer of an execution receives. */
export type ExecutionEvent = { execution: string; state: string } & (
  | { kind: "entered" }
  /** `bytes`: of its input, its output and all variables, together. */
  | { kind: "left"; bytes: number }
  | { kind: "retrying"; error: string; delayMs: number }
  | { kind: "caught"; error: string; next: string }
);

/** It gets the variables where the state is: of the execution, or of an iteration. */
export type WaitFunction = (
  milliseconds: number,
  signal: AbortSignal,
  variables: Readonly<Record<string, Json>>,
) => Promise<void>;

export interface Walk {
  execution: string;
  tasks: Readonly<Record<string, TaskFunction>>;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  observe: (event: ExecutionEvent) => void;
  wait: WaitFunction;
  variables: Record<string, Json>;
  events: number;
  transitions: number;
  startedNext?: { name: string; input: Json };
}

/** The current state of an execution. */
export interface Position {
  name: string;
  input: Json;
}

/** Where a state leads. Without `next` the execution has succeeded. */
export interface Move {
  next: string | undefined;
  output: Json;
}

/** Adds to the history. False: it is full, and the execution ends with the last event there is room for. */
export function recordEvents(walk: Walk, count: number): boolean {
  walk.events = Math.min(walk.events + count, HISTORY_EVENTS);
  return walk.events < HISTORY_EVENTS;
}

/** The history has an event for it. */
export const isEvaluation = ({ error }: Failure): boolean => error === "States.QueryEvaluationError";

export const historyFull = failed(
  "States.Runtime",
  `The execution reached the maximum number of history events (${HISTORY_EVENTS}).`,
);

interface Exit {
  way: { Assign?: Expression | undefined; Output?: Expression | undefined; Next?: string | undefined };
  states: Record<string, Json>;
  /** The output if the state names none. */
  otherwise: Json;
}

/** Assign and Output both see the old variables; the new ones apply from the next state on. */
export async function leave(walk: Walk, { way, states, otherwise }: Exit): Promise<Outcome<Move>> {
  const bindings = bindingsOf(walk, states);
  const assigned = way.Assign ? await way.Assign(bindings) : undefined;
  if (assigned?.ok === false) return assigned;
  const output = way.Output ? await way.Output(bindings) : { ok: true as const, value: otherwise };
  if (!output.ok) return output;
  if (isTooLarge(output.value) || (assigned && isTooLarge(assigned.value))) return tooLarge;
  if (assigned) walk.variables = { ...walk.variables, ...(assigned.value as Record<string, Json>) };
  return { ok: true, value: { next: way.Next, output: output.value } };
}

export const bindingsOf = (walk: Walk, states: Record<string, Json>): Record<string, unknown> => ({
  ...walk.variables,
  states,
});

/** A deep copy, as JSON would carry it. */
export const copyOf = (json: Json): Json => JSON.parse(JSON.stringify(json)) as Json;

export const isTooLarge = (json: Json): boolean => Buffer.byteLength(JSON.stringify(json)) > STATE_BYTES;

export const tooLarge = failed("States.DataLimitExceeded", `A state holds no more than ${STATE_BYTES} bytes.`);

/** Sleeps in a Wait state or before a retry. An abort wakes it, whether or not the clock then throws. */
export async function sleep(
  { wait, signal, variables }: Pick<Walk, "wait" | "signal" | "variables">,
  milliseconds: number,
): Promise<void> {
  try {
    await wait(milliseconds, signal, variables);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
