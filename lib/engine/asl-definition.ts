/** The state machine's definition, read from the very file that is deployed, and refused where it is not understood. */
import type { z } from "zod";
import { faultsOf } from "./asl-graph.ts";
import { type Definition, PlainState, type State, StateMachine } from "./asl-schema.ts";

export type { Definition } from "./asl-schema.ts";

/** Throws an Error that says what is missing, wrong or not supported, and in which state. */
export function loadDefinition(text: string, substitutions: Record<string, string>): Definition {
  const machine = parse(StateMachine, JSON.parse(fill(text, substitutions)), "the state machine");
  const definition = definitionOf(machine);
  const faults = faultsOf(definition);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return definition;
}

function definitionOf({ StartAt, States }: { StartAt: string; States: Record<string, unknown> }): Definition {
  const states = Object.entries(States).map(([name, given]) => {
    const state = parse(PlainState, given, `state "${name}"`);
    const whole: State = state.Type === "Map" ? { ...state, processor: definitionOf(state.ItemProcessor) } : state;
    return [name, whole] as const;
  });
  return { startAt: StartAt, states: new Map(states) };
}

/** Substitution is textual, as in CloudFormation; every place is inside a JSON string. */
function fill(text: string, substitutions: Record<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(substitutions, name) ? substitutions[name] : undefined;
    if (value === undefined) throw new Error(`the placeholder \${${name}} has no value`);
    return JSON.stringify(value).slice(1, -1);
  });
}

function parse<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => [where, ...path.map(String), message].join(": "));
  throw new Error(faults.join("\n"));
}
