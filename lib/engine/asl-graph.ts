/** What is wrong with a definition as a whole: where its states lead, and the order of its retriers. Pure. */
import type { Definition, State } from "./asl-schema.ts";

export function faultsOf({ startAt, states }: Definition): string[] {
  const inside = [...states.values()].flatMap((state) => (state.Type === "Map" ? faultsOf(state.processor) : []));
  const faults = [...inside];
  if (!states.has(startAt)) faults.push(`StartAt leads to "${startAt}", which does not exist`);
  const reached = new Set([startAt]);
  for (const name of reached) {
    const state = states.get(name);
    if (state) for (const target of targetsOf(state)) reached.add(target);
  }
  for (const [name, state] of states) {
    const found = [...faultsOfTargets(state, states), ...faultsOfEnding(state), ...faultsOfErrors(state)];
    if (!reached.has(name)) found.push("is never reached");
    faults.push(...found.map((fault) => `state "${name}" ${fault}`));
  }
  return faults;
}

function targetsOf(state: State): string[] {
  const named = (next: string | undefined): string[] => (next === undefined ? [] : [next]);
  switch (state.Type) {
    case "Choice":
      return [...state.Choices.map((rule) => rule.Next), ...named(state.Default)];
    case "Task":
    case "Map":
      return [...named(state.Next), ...state.Catch.map((catcher) => catcher.Next)];
    case "Pass":
    case "Wait":
      return named(state.Next);
    case "Succeed":
    case "Fail":
      return [];
  }
}

function faultsOfTargets(state: State, states: Definition["states"]): string[] {
  const missing = targetsOf(state).filter((target) => !states.has(target));
  return missing.map((target) => `leads to "${target}", which does not exist`);
}

function faultsOfEnding(state: State): string[] {
  if (state.Type !== "Pass" && state.Type !== "Task" && state.Type !== "Wait" && state.Type !== "Map") return [];
  return (state.Next === undefined) === (state.End === undefined) ? ["needs either Next or End"] : [];
}

/** States.ALL hides every retrier or catcher after it, and whatever is named beside it. */
function faultsOfErrors(state: State): string[] {
  if (state.Type === "Map") return faultsOfOrder("Catch", state.Catch);
  if (state.Type !== "Task") return [];
  return [...faultsOfOrder("Retry", state.Retry), ...faultsOfOrder("Catch", state.Catch)];
}

function faultsOfOrder(field: string, entries: { ErrorEquals: string[] }[]): string[] {
  return entries.flatMap(({ ErrorEquals }, index) => {
    if (!ErrorEquals.includes("States.ALL")) return [];
    if (ErrorEquals.length > 1) return [`names other errors beside States.ALL in ${field}`];
    return index < entries.length - 1 ? [`has a ${field} entry after States.ALL`] : [];
  });
}
