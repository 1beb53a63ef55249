import { describe, expect, it } from "vitest";
import type { Json } from "../core/text/json.ts";
import { loadDefinition } from "./asl-definition.ts";

const machine = (states: Record<string, Json>, more: Record<string, Json> = {}): string =>
  JSON.stringify({ QueryLanguage: "JSONata", StartAt: Object.keys(states)[0] ?? "", States: states, ...more });
const load = (states: Record<string, Json>, more: Record<string, Json> = {}) =>
  loadDefinition(machine(states, more), {});

const done = { Type: "Succeed" };
const task = { Type: "Task", Resource: "arn:aws:states:::lambda:invoke", End: true };
const all = { ErrorEquals: ["States.ALL"] };
const one = { ErrorEquals: ["One"] };

describe("loading a definition", () => {
  it("takes what it knows, with the service's defaults for what a retrier leaves out", () => {
    const { states } = load({ T: { ...task, Retry: [one, all] } });
    expect(states.get("T")).toMatchObject({
      Retry: [{ IntervalSeconds: 1, MaxAttempts: 3, BackoffRate: 2, JitterStrategy: "NONE" }, {}],
    });
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "a state type it does not know",
      () => load({ M: { Type: "Parallel", End: true } }),
      /state "M": Type.*"Parallel" is not supported/,
    ],
    ["a field it does not know", () => load({ D: { ...done, Odd: 1 } }), /state "D".*"Odd"/],
    [
      "a retrier's field it does not know",
      () => load({ T: { ...task, Retry: [{ ...all, Odd: 1 }] } }),
      /state "T".*Retry.*"Odd"/,
    ],
    [
      "a resource it cannot perform",
      () => load({ T: { ...task, Resource: "arn:aws:states:::sqs:sendMessage" } }),
      /state "T": Resource/,
    ],
    ["a top-level time-out", () => load({ D: done }, { TimeoutSeconds: 9 }), /state machine.*"TimeoutSeconds"/],
    ["JSONPath", () => load({ D: done }, { QueryLanguage: "JSONPath" }), /QueryLanguage/],
    ["a start that does not exist", () => load({ D: done }, { StartAt: "X" }), /StartAt leads to "X"/],
    ["a target that does not exist", () => load({ P: { Type: "Pass", Next: "X" } }), /"P" leads to "X"/],
    [
      "a catcher that leads nowhere",
      () => load({ T: { ...task, Catch: [{ ...all, Next: "X" }] } }),
      /"T" leads to "X"/,
    ],
    [
      "a default that leads nowhere",
      () => load({ C: { Type: "Choice", Choices: [{ Condition: true, Next: "C" }], Default: "X" } }),
      /"C" leads to "X"/,
    ],
    ["an unreachable state", () => load({ D: done, U: done }), /"U" is never reached/],
    ["neither Next nor End", () => load({ P: { Type: "Pass" } }), /"P" needs either Next or End/],
    ["both Next and End", () => load({ P: { Type: "Pass", Next: "P", End: true } }), /"P" needs either Next or End/],
    [
      "a retrier after States.ALL",
      () => load({ T: { ...task, Retry: [all, one] } }),
      /"T" has a Retry entry after States.ALL/,
    ],
    [
      "States.ALL in company",
      () => load({ T: { ...task, Retry: [{ ErrorEquals: ["One", "States.ALL"] }] } }),
      /"T" names other errors beside States.ALL in Retry/,
    ],
    [
      "$eval",
      () => load({ D: { ...done, Output: { a: ["{% $eval('1') %}"] } } }),
      /state "D": Output: \$eval is not supported/,
    ],
    [
      "the context object",
      () => load({ D: { ...done, Output: "{% $states.context.Execution.Id %}" } }),
      /\$states\.context is not supported/,
    ],
    [
      "an expression that is not JSONata",
      () => load({ D: { ...done, Output: "{% 1 + %}" } }),
      /state "D": Output.*not JSONata/,
    ],
  ])("refuses %s, and says where", (_, loading, message) => {
    expect(loading).toThrow(message);
  });

  it("fills placeholders as text, inside expressions too", async () => {
    const text = machine({ D: { ...done, Output: `{% \${Limit} + 1 %}` } });
    const state = loadDefinition(text, { Limit: "7" }).states.get("D");
    expect(state?.Type === "Succeed" && (await state.Output?.({}))).toEqual({ ok: true, value: 8 });
  });

  it.each(["Missing", "toString"])("refuses the placeholder %s, that has no value, by name", (name) => {
    const text = machine({ D: { ...done, Output: `\${${name}}` } });
    expect(() => loadDefinition(text, {})).toThrow(`\${${name}} has no value`);
  });
});
