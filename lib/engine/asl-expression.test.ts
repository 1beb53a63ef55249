import { describe, expect, it } from "vitest";
import type { Json } from "../core/text/json.ts";
import { compileExpression } from "./asl-expression.ts";

async function evaluate(json: Json, bindings = {}) {
  const faults: string[] = [];
  const compiled = compileExpression(json, faults);
  expect(faults).toEqual([]);
  return compiled(bindings);
}

describe("an expression", () => {
  it("is any JSON, evaluated in every string that is an expression", async () => {
    const json = { a: ["{% $n + 1 %}", { b: "{% $states.input.x %}" }], c: "$n", d: null, e: "{% unfinished" };
    const value = { a: [8, { b: "X" }], c: "$n", d: null, e: "{% unfinished" };
    expect(await evaluate(json, { n: 7, states: { input: { x: "X" } } })).toEqual({ ok: true, value });
  });

  it("keeps null, which is a value", async () => {
    expect(await evaluate("{% $states.input %}", { states: { input: null } })).toEqual({ ok: true, value: null });
  });

  it.each([
    ["yields nothing", "{% $states.input.absent %}"],
    ["yields nothing deep inside", { a: [{ b: "{% $absent %}" }] }],
    ["reads what is not a variable", "{% absent %}"],
    ["calls what does not exist", "{% $uuid() %}"],
    ["mixes types", "{% 1 + 'a' %}"],
    ["divides by zero", "{% 1 / 0 %}"],
  ])("fails as States.QueryEvaluationError where it %s", async (_, json) => {
    const outcome = await evaluate(json, { states: { input: {} } });
    expect(outcome).toMatchObject({ ok: false, failure: { error: "States.QueryEvaluationError" } });
  });

  it("yields plain JSON, not JSONata's own arrays", async () => {
    const outcome = await evaluate("{% $states.input.a.b %}", { states: { input: { a: [{ b: 1 }, { b: 2 }] } } });
    expect(outcome.ok && Object.keys(outcome.value as object)).toEqual(["0", "1"]);
    expect(outcome.ok && Object.getOwnPropertyNames(outcome.value)).toEqual(["0", "1", "length"]);
  });
});
