/** The engine: walks the state machine's definition on one computer, one execution at a time, under the cloud's limits. */
import type { Clock } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import type { TaskFunction } from "./asl-invoke.ts";
import { type Failure, failed, type Outcome } from "./asl-outcome.ts";
import type { Definition } from "./asl-schema.ts";
import { visit } from "./asl-states.ts";
import {
  copyOf,
  type ExecutionEvent,
  historyFull,
  isEvaluation,
  isTooLarge,
  type Move,
  type Position,
  recordEvents,
  tooLarge,
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
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
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

/** From state to state, until one leads nowhere. */
async function follow(walk: Walk, { startAt, states }: Definition, input: Json): Promise<Outcome<Json>> {
  let place: Position = { name: startAt, input };
  for (;;) {
    if (walk.signal.aborted) return aborted;
    const moved = await enter(walk, states, place);
    if (!moved.ok) return moved;
    if (moved.value.next === undefined) return { ok: true, value: moved.value.output };
    place = { name: moved.value.next, input: moved.value.output };
  }
}

async function enter(walk: Walk, states: Definition["states"], place: Position): Promise<Outcome<Move>> {
  const state = states.get(place.name);
  if (!state) return failed("States.Runtime", `There is no state "${place.name}".`);
  walk.transitions += 1;
  if (!recordEvents(walk, 1)) return historyFull;
  walk.observe({ execution: walk.execution, state: place.name, kind: "entered" });
  const entered = walk.events;
  const moved = await visit(walk, state, place);
  if (!moved.ok && isEvaluation(moved.failure)) {
    // A task has noted each attempt.
    if (state.Type !== "Task") recordEvents(walk, 1);
    return locate(moved.failure, place, entered);
  }
  if (!moved.ok) return moved;
  walk.observe({
    execution: walk.execution,
    state: place.name,
    kind: "left",
    bytes: bytesOf(walk, place, moved.value),
  });
  return recordEvents(walk, 1) ? moved : historyFull;
}

/** As the service words an evaluation that ends the execution. */
const locate = ({ error, cause }: Failure, { name }: Position, entered: number): Outcome<Move> =>
  failed(
    error,
    `An error occurred while executing the state '${name}' (entered at the event id #${entered}). ${cause}`,
  );

const bytesOf = ({ variables }: Walk, { input }: Position, { output }: Move): number =>
  [input, output, variables].reduce<number>((sum, json) => sum + Buffer.byteLength(JSON.stringify(json)), 0);

const aborted = failed("Aborted");

function endingOf(walk: Walk, outcome: Outcome<Json>): ExecutionResult {
  const { events, transitions, startedNext } = walk;
  const counted = { transitions, ...(startedNext && { startedNext }) };
  if (!outcome.ok && walk.signal.aborted) return { status: "ABORTED", events, ...counted };
  recordEvents(walk, 1);
  if (outcome.ok) return { status: "SUCCEEDED", output: outcome.value, events: walk.events, ...counted };
  return { status: "FAILED", ...outcome.failure, events: walk.events, ...counted };
}
