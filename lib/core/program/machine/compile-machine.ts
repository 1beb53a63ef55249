/** Compiles a program into a state machine: the control unit, with a state for each instruction. Pure. */
import * as z from "zod";
import { UserError } from "../../errors.ts";
import type { Json } from "../../text/json.ts";
import type { Draft } from "../program.ts";
import { programIn } from "../program-text.ts";
import type { Sha256 } from "./address.ts";
import { asValidated, EMPTY, NEXT } from "./as-validated.ts";
import { allStops, isDecision, isExecuted, type Stop, stopsOf, type Way, waysAfter, waysFrom } from "./flow.ts";
import { NAME_CHARS, stateName, wordsOf } from "./state-names.ts";

export interface MachineDefinition {
  Comment?: string | undefined;
  QueryLanguage: string;
  StartAt: string;
  States: Record<string, State>;
}

type State = Record<string, Json>;

const ControlUnit = z.object({
  Comment: z.string().optional(),
  QueryLanguage: z.string(),
  StartAt: z.string(),
  States: z.record(z.string(), z.record(z.string(), z.json())),
});

export interface CompileParts {
  /** The text of the control unit's definition. */
  controlUnit: string;
  sha256: Sha256;
}

/**
 * The registry says where a run is; the machine only goes there. Each Task invokes Execute for the one instruction that
 * it names, and Execute answers the address of the next. A place that the program does not name is for the control
 * unit's own state, Execute: so any run can be executed by any compiled machine.
 */
export function compileMachine(draft: Draft, { controlUnit, sha256 }: CompileParts): MachineDefinition {
  const unit = ControlUnit.parse(asValidated(JSON.parse(controlUnit)));
  const stops = allStops(stopsOf(programIn(draft), draft.tree !== undefined, sha256));
  const execute = unit.States.Execute ?? {};
  const named = stops.flatMap((stop) => statesOf(stop, execute));
  refuseNames(named.map(([name]) => name));
  return {
    ...unit,
    Comment:
      "Compiled from a program: its instructions are states of the control unit. Only ids and counters travel through it.",
    States: { ...withAddresses(unit.States, stops), [GO_ON]: goOn(stops), ...Object.fromEntries(named) },
  };
}

/** Places of blocks in blocks grow: names that are cut may be those of others. */
function refuseNames(names: string[]): void {
  const isFit = names.every((name) => name.length <= NAME_CHARS) && new Set(names).size === names.length;
  if (isFit) return;
  throw new UserError("Its blocks lie too deep in each other for names of states, which have 80 characters at most.", {
    exitCode: 2,
    remedy: "Move the inner blocks to a program of their own, and call it.",
  });
}

/** Goes to the instruction that is next, also in the middle of a program. */
const GO_ON = "Go on";
/** What the program does not name: facts, checks before delivery, parts of a split, other programs. */
const UNNAMED = "Execute";

const taskName = (stop: Stop): string =>
  stop.node.kind === "assert" ? stateName(stop.place, "repair") : stateName(stop.place, wordsOf(stop.node));
const choiceName = (stop: Stop): string => stateName(stop.place, wordsOf(stop.node));
const waitName = ({ place }: Stop): string => stateName(place, "waits for an answer");
const afterName = ({ place }: Stop): string => `After ${place}`;

const ADDRESS = "{% $exists($states.result.Payload.at) ? $states.result.Payload.at : '' %}";
const COUNT = { loops: "{% $loops + 1 %}" };
/** The rest is for the state Next: waits, the next epoch, the end. */
const GOES_ON = "$next = 'execute' and $loops < $" + "{LoopLimit}";

function statesOf(stop: Stop, execute: State): [name: string, state: State][] {
  const states: [string, State][] = [];
  if (isDecision(stop)) states.push([choiceName(stop), decisionOf(stop)]);
  if (isExecuted(stop)) states.push([taskName(stop), taskOf(stop, execute)], [afterName(stop), afterOf(stop)]);
  if (stop.node.kind === "ask") states.push([waitName(stop), WAITS]);
  return states;
}

const WAITS: State = {
  Type: "Succeed",
  Comment: "Nothing is computed until the answer is there; then an execution of the next epoch begins.",
  Output: {},
};

const taskOf = (stop: Stop, execute: State): State => ({
  ...callOf(execute, stop.address),
  Comment: COMMENTS[stop.node.kind] ?? "",
  Next: afterName(stop),
});

const COMMENTS: Partial<Record<Stop["node"]["kind"], string>> = {
  do: "Execute, for this instruction alone.",
  ask: "Saves the answer.",
  assert: "Repairs what the check found, once.",
};

/** Execute and Plan say where they are, and hear where the run is. */
function callOf(task: State, at: string): State {
  const { Arguments, Assign } = task;
  const { Payload, ...asked } = fieldsOf(Arguments);
  return {
    ...task,
    Arguments: { ...asked, Payload: { ...fieldsOf(Payload), at } },
    Assign: { ...fieldsOf(Assign), at: ADDRESS },
  };
}

const fieldsOf = (json: Json | undefined): Record<string, Json> =>
  typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};

function afterOf(stop: Stop): State {
  const ways: Way[] = [{ when: "at", to: stop }, ...waysAfter(stop)];
  return choiceOf(ways.flatMap((way) => [ruleOf(way, GOES_ON), ...questionAt(way)]));
}

/** Each way from it counts as a loop, since each adds to the history of the execution, and that is limited. */
const decisionOf = (stop: Stop): State => {
  const findOut = { Condition: `{% $at = '${stop.place}' %}`, Assign: COUNT, Output: {}, Next: UNNAMED };
  const ways = waysFrom(stop);
  const onward = ways.find(({ when }) => when === "always");
  const choices = ways.filter((way) => way !== onward).map((way) => ({ ...ruleOf(way), Assign: COUNT }));
  return { ...choiceOf([findOut, ...choices], onward ? choiceName(onward.to) : GO_ON), Assign: COUNT };
};

const choiceOf = (choices: State[], otherwise = NEXT): State => ({
  Type: "Choice",
  Choices: choices,
  Output: {},
  Default: otherwise,
});

function ruleOf(way: Way, also?: string): State {
  const condition = [also, whereOf(way)].filter(Boolean).join(" and ");
  return {
    Condition: `{% ${condition} %}`,
    ...(way.when === "at" ? { Assign: COUNT } : {}),
    Output: {},
    Next: way.when === "at" ? taskName(way.to) : choiceName(way.to),
  };
}

function whereOf(way: Way): string {
  if (way.when === "at") return isAt(way.to);
  return way.when === "inside" ? `$substring($at, 0, ${way.prefix.length}) = '${way.prefix}'` : "";
}

const isAt = ({ address }: Stop): string => `$at = '${address}'`;
/** The run waits for a person, and the execution ends. */
const questionAt = ({ when, to }: Way): State[] =>
  when === "at" && to.node.kind === "ask"
    ? [{ Condition: `{% $next = 'stop' and ${isAt(to)} %}`, Output: {}, Next: waitName(to) }]
    : [];

function goOn(stops: Stop[]): State {
  const rule = (at: string, next: string): State => ({ Condition: `{% $at = '${at}' %}`, Output: {}, Next: next });
  const [first] = stops;
  const start = first && isDecision(first) ? [rule(first.place, choiceName(first))] : [];
  const executed = stops.filter(isExecuted).map((stop) => rule(stop.address, taskName(stop)));
  return {
    ...choiceOf([...start, ...executed], UNNAMED),
    Comment: "Where the run is, the registry says: an execution can begin in the middle of the program.",
  };
}

/** The states of the control unit, which know where the run is. */
function withAddresses(states: Record<string, State>, stops: Stop[]): Record<string, State> {
  const { Init = {}, Plan = {}, Execute = {}, [NEXT]: Next = {}, WaitToExecute = {} } = states;
  const rules = Array.isArray(Next.Choices) ? Next.Choices.map(fieldsOf) : [];
  const questions = stops.flatMap((to) => questionAt({ when: "at", to }));
  return {
    ...states,
    Init: { ...Init, Assign: { ...fieldsOf(Init.Assign), at: EMPTY } },
    Plan: callOf(Plan, EMPTY),
    Execute: callOf(Execute, "{% $at %}"),
    [NEXT]: { ...Next, Choices: [...questions, ...rules.map(toGoOn)] },
    WaitToExecute: toGoOn(WaitToExecute),
  };
}

const toGoOn = (state: State): State => (state.Next === UNNAMED ? { ...state, Next: GO_ON } : state);
