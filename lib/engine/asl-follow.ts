/** Walks a definition from state to state, in an execution or in one iteration of a Map. */
import type { Json } from "../core/text/json.ts";
import { visitMap } from "./asl-map.ts";
import { type Failure, failed, type Outcome } from "./asl-outcome.ts";
import type { Definition } from "./asl-schema.ts";
import { visit } from "./asl-states.ts";
import { historyFull, isEvaluation, type Move, type Position, recordEvents, type Walk } from "./asl-walk.ts";

/** From state to state, until one leads nowhere. */
export async function follow(walk: Walk, { startAt, states }: Definition, input: Json): Promise<Outcome<Json>> {
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
  const moved = await (state.Type === "Map"
    ? visitMap(walk, state, { place, iterate: follow })
    : visit(walk, state, place));
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
