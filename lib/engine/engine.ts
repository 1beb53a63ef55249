/** The engine: walks the state machine's definition on one computer, one execution at a time, under the cloud's limits. */
import type { Clock } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import { follow } from "./asl-follow.ts";
import type { TaskFunction } from "./asl-invoke.ts";
import type { Outcome } from "./asl-outcome.ts";
import type { Definition } from "./asl-schema.ts";
import {
  copyOf,
  type ExecutionEvent,
  isTooLarge,
  recordEvents,
  tooLarge,
  type WaitFunction,
  type Walk,
} from "./asl-walk.ts";

export interface EngineParts {
  definition: Definition;
  /** By function name; what starts an execution, by its resource. */
  tasks: Readonly<Record<string, TaskFunction>>;
  clock: Clock;
  /** From 0 to below 1. */
  random: () => number;
  observe?: (seen: ExecutionEvent) => void;
  /** How a Wait state is waited through. Absent: by the clock. */
  wait?: WaitFunction;
}

export interface ExecutionResult {
  status: "SUCCEEDED" | "FAILED" | "ABORTED";
  output?: Json;
  error?: string;
  cause?: string;
  events: number;
  transitions: number;
  /** The execution that this one started: the caller continues with it. */
  startedNext?: { name: string; input: Json };
}

export function createEngine({
  definition,
  tasks,
  clock,
  random,
  observe = () => {},
  wait = clock.sleep,
}: EngineParts) {
  return {
    async execute(asked: { name: string; input: Json; signal: AbortSignal }): Promise<ExecutionResult> {
      const world = { tasks, clock, random, observe, wait };
      const { name: execution, signal } = asked;
      const walk: Walk = { ...world, execution, signal, variables: {}, events: 1, transitions: 0 };
      const input = copyOf(asked.input);
      return endingOf(walk, isTooLarge(input) ? tooLarge : await follow(walk, definition, input));
    },
  };
}

function endingOf(walk: Walk, outcome: Outcome<Json>): ExecutionResult {
  const { events, transitions, startedNext } = walk;
  const counted = { transitions, ...(startedNext && { startedNext }) };
  if (!outcome.ok && walk.signal.aborted) return { status: "ABORTED", events, ...counted };
  recordEvents(walk, 1);
  if (outcome.ok) return { status: "SUCCEEDED", output: outcome.value, events: walk.events, ...counted };
  return { status: "FAILED", ...outcome.failure, events: walk.events, ...counted };
}
