/** What each type of state does with its input, and where it leads. */
import type { Json } from "../core/text/json.ts";
import { failed, type Outcome } from "./asl-outcome.ts";
import type { Choice, Fail, MapState, State, Wait } from "./asl-schema.ts";
import { visitTask } from "./asl-task.ts";
import { bindingsOf, leave, type Move, type Position, sleep, type Walk } from "./asl-walk.ts";

export async function visit(walk: Walk, state: Exclude<State, MapState>, place: Position): Promise<Outcome<Move>> {
  const { input } = place;
  switch (state.Type) {
    case "Task":
      return visitTask(walk, state, place);
    case "Choice":
      return visitChoice(walk, state, input);
    case "Wait":
      return visitWait(walk, state, input);
    case "Pass":
    case "Succeed":
      return leave(walk, { way: state, states: { input }, otherwise: input });
    case "Fail":
      return visitFail(walk, state, input);
  }
}

async function visitChoice(walk: Walk, state: Choice, input: Json): Promise<Outcome<Move>> {
  const bindings = bindingsOf(walk, { input });
  const leaveBy = (way: Omit<Choice["Choices"][number], "Condition">) =>
    leave(walk, { way, states: { input }, otherwise: input });
  for (const rule of state.Choices) {
    const holds = await rule.Condition(bindings);
    if (!holds.ok) return holds;
    if (typeof holds.value !== "boolean") return isNot(holds.value, "true or false");
    if (holds.value) return leaveBy(rule);
  }
  if (state.Default !== undefined) return leaveBy({ ...state, Next: state.Default });
  return failed("States.NoChoiceMatched", "No rule of the Choice state holds.");
}

/** The service's own bound, three years. */
const LONGEST_WAIT_SECONDS = 99_999_999;

async function visitWait(walk: Walk, state: Wait, input: Json): Promise<Outcome<Move>> {
  const seconds = await state.Seconds(bindingsOf(walk, { input }));
  if (!seconds.ok) return seconds;
  if (!isWait(seconds.value)) return isNot(seconds.value, `a whole number from 0 to ${LONGEST_WAIT_SECONDS}`);
  await sleep(walk, seconds.value * 1000);
  return leave(walk, { way: state, states: { input }, otherwise: input });
}

const isWait = (seconds: Json): seconds is number =>
  typeof seconds === "number" && Number.isInteger(seconds) && seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS;

async function visitFail(walk: Walk, state: Fail, input: Json): Promise<Outcome<Move>> {
  const bindings = bindingsOf(walk, { input });
  const error = state.Error ? await state.Error(bindings) : { ok: true as const, value: "" };
  if (!error.ok) return error;
  const cause = state.Cause ? await state.Cause(bindings) : { ok: true as const, value: "" };
  if (!cause.ok) return cause;
  const name = String(error.value);
  // The service keeps these names to itself: no Catch sees what comes of one.
  if (name.startsWith("States.")) return failed("States.Runtime", `A Fail state cannot have the error name ${name}.`);
  return failed(name, String(cause.value));
}

const isNot = (value: Json, wanted: string) =>
  failed("States.QueryEvaluationError", `${JSON.stringify(value)} is not ${wanted}.`);
