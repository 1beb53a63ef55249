/** A Map state: an iteration for each item, all at the same time, each with variables of its own. */
import type { Json } from "../core/text/json.ts";
import { failed, type Outcome } from "./asl-outcome.ts";
import type { Definition, MapState } from "./asl-schema.ts";
import { caught } from "./asl-task.ts";
import { bindingsOf, leave, type Move, type Position, recordEvents, type Walk } from "./asl-walk.ts";

interface Visiting {
  place: Position;
  /** Walks one iteration to its end. */
  iterate: (walk: Walk, definition: Definition, input: Json) => Promise<Outcome<Json>>;
}

export async function visitMap(walk: Walk, state: MapState, { place, iterate }: Visiting): Promise<Outcome<Move>> {
  const { input } = place;
  const items = await state.Items(bindingsOf(walk, { input }));
  if (!items.ok) return items;
  if (!Array.isArray(items.value)) return failed("States.QueryEvaluationError", "The items of a Map are no array.");
  recordEvents(walk, 1);
  const stopping = new AbortController();
  const signal = AbortSignal.any([walk.signal, stopping.signal]);
  const outcomes = await Promise.all(
    items.value.map(async (item) => {
      recordEvents(walk, 1);
      const outcome = await iterate(iterationOf(walk, signal), state.processor, item);
      recordEvents(walk, 1);
      // One that fails ends the others, and the state.
      if (!outcome.ok) stopping.abort();
      return outcome;
    }),
  );
  // Its start and its end, and those of each iteration, are in the history of the execution.
  recordEvents(walk, 1);
  const failure =
    outcomes.find((outcome) => !outcome.ok && outcome.failure.error !== "Aborted") ?? outcomes.find(({ ok }) => !ok);
  if (walk.signal.aborted) return failed("Aborted");
  if (failure && !failure.ok) return caught(walk, { state, place, failure: failure.failure });
  const result = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  return leave(walk, { way: state, states: { input, result }, otherwise: result });
}

/** It counts events with the execution, and sees its variables; what it assigns is its own. */
function iterationOf(walk: Walk, signal: AbortSignal): Walk {
  let own = { ...walk.variables };
  return Object.create(walk, {
    variables: { get: () => own, set: (variables: Walk["variables"]) => (own = variables) },
    signal: { value: signal },
    events: { get: () => walk.events, set: (events: number) => (walk.events = events) },
    transitions: { get: () => walk.transitions, set: (transitions: number) => (walk.transitions = transitions) },
  }) as Walk;
}
