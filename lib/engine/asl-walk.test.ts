import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../test/virtual-clock.ts";
import { STATE_BYTES } from "../core/limits.ts";
import type { Json } from "../core/text/json.ts";
import { loadDefinition } from "./asl-definition.ts";
import type { TaskFunction } from "./asl-invoke.ts";
import type { ExecutionEvent } from "./asl-walk.ts";
import { createEngine } from "./engine.ts";

interface Machine {
  states: Record<string, Json>;
  tasks?: Record<string, TaskFunction>;
  input?: Json;
  abortAtMs?: number;
}

/** Runs a small machine, from its first state. */
async function run({ states, tasks = {}, input = {}, abortAtMs }: Machine) {
  const clock = createVirtualClock();
  const stop = new AbortController();
  if (abortAtMs === 0) stop.abort();
  else if (abortAtMs !== undefined) void clock.sleep(abortAtMs).then(() => stop.abort());
  const seen: ExecutionEvent[] = [];
  const text = JSON.stringify({ QueryLanguage: "JSONata", StartAt: Object.keys(states)[0] ?? "", States: states });
  const definition = loadDefinition(text, {});
  const engine = createEngine({ definition, tasks, clock, random: () => 1, observe: (event) => seen.push(event) });
  const ending = await engine.execute({ name: "x", input, signal: stop.signal });
  return { ending, seen, clock };
}

const invoke = {
  Type: "Task",
  Resource: "arn:aws:states:::lambda:invoke",
  Arguments: { FunctionName: "f", Payload: "{% $states.input %}" },
};
const caught = { ErrorEquals: ["States.ALL"], Next: "Caught" };
const Caught = { Type: "Succeed", Output: { caught: "{% $states.input.Error %}" } };
const tooMuch = "é".repeat(STATE_BYTES / 2);

describe("walking from state to state", () => {
  it("hands output on as input, and ends with the last one", async () => {
    const states = {
      One: { Type: "Pass", Output: { n: "{% $states.input.n + 1 %}" }, Next: "Two" },
      Two: { Type: "Pass", Next: "Three" },
      Three: { Type: "Pass", Output: { n: "{% $states.input.n * 2 %}" }, End: true },
    };
    const { ending } = await run({ states, input: { n: 1 } });
    expect(ending).toEqual({ status: "SUCCEEDED", output: { n: 4 }, events: 8, transitions: 3 });
  });

  it("evaluates Assign and Output on the variables as they were before the state", async () => {
    const states = {
      Init: { Type: "Pass", Assign: { a: 1, b: 2 }, Next: "Swap" },
      Swap: { Type: "Pass", Assign: { a: "{% $b %}", b: "{% $a %}" }, Output: "{% [$a, $b] %}", Next: "End" },
      End: { Type: "Succeed", Output: { before: "{% $states.input %}", after: "{% [$a, $b] %}" } },
    };
    const { ending } = await run({ states });
    expect(ending.output).toEqual({ before: [1, 2], after: [2, 1] });
  });

  it("takes the first rule that holds, with its own Assign", async () => {
    const rule = (Condition: Json, v: string) => ({ Condition, Assign: { v }, Next: "End" });
    const states = {
      C: { Type: "Choice", Choices: [rule(false, "1"), rule("{% $states.input.x = 1 %}", "2"), rule(true, "3")] },
      End: { Type: "Succeed", Output: "{% $v %}" },
    };
    expect((await run({ states, input: { x: 1 } })).ending.output).toBe("2");
    expect((await run({ states, input: { x: 2 } })).ending.output).toBe("3");
  });

  it.each([
    ["no rule holds", { Condition: false }, "States.NoChoiceMatched"],
    ["a condition is neither true nor false", { Condition: "{% 1 %}" }, "States.QueryEvaluationError"],
    ["a condition yields nothing", { Condition: "{% $absent %}" }, "States.QueryEvaluationError"],
  ])("fails where %s", async (_, condition, error) => {
    const states = { C: { Type: "Choice", Choices: [{ ...condition, Next: "D" }] }, D: { Type: "Succeed" } };
    expect((await run({ states })).ending).toMatchObject({ status: "FAILED", error });
  });

  it("waits for as long as an expression says", async () => {
    const states = { W: { Type: "Wait", Seconds: "{% $states.input.s %}", End: true } };
    const { clock, ending } = await run({ states, input: { s: 90 } });
    expect(clock.now()).toBe(90_000);
    expect(ending).toMatchObject({ status: "SUCCEEDED", events: 4 });
  });

  it.each([-1, 1.5, "9", 100_000_000])("fails rather than wait %s seconds", async (Seconds) => {
    const { ending } = await run({ states: { W: { Type: "Wait", Seconds, End: true } } });
    expect(ending).toMatchObject({ status: "FAILED", error: "States.QueryEvaluationError" });
  });

  it("fails under the name that a Fail state gives", async () => {
    const states = { F: { Type: "Fail", Error: "{% $states.input.e %}", Cause: "c" } };
    const { ending } = await run({ states, input: { e: "E" } });
    expect(ending).toEqual({ status: "FAILED", error: "E", cause: "c", events: 3, transitions: 1 });
  });

  it("gives a function JSON of its own, and wraps what it answers", async () => {
    const f: TaskFunction = async (payload) => {
      (payload as { n: number }).n = 9;
      return { answered: payload };
    };
    const states = {
      T: { ...invoke, Output: "{% [$states.input.n, $states.result.Payload.answered.n] %}", End: true },
    };
    const { ending } = await run({ states, tasks: { f }, input: { n: 1 } });
    expect(ending).toEqual({ status: "SUCCEEDED", output: [1, 9], events: 7, transitions: 1 });
  });

  it("gives each retry the payload that the definition says, whatever the attempt before did to it", async () => {
    const given: Json[] = [];
    const f: TaskFunction = async (payload) => {
      given.push((payload as { n: number }).n);
      (payload as { n: number }).n = 9;
      throw new Error("again");
    };
    const Arguments = { FunctionName: "f", Payload: { n: 1 } };
    const states = { T: { ...invoke, Arguments, Retry: [{ ErrorEquals: ["Error"], MaxAttempts: 1 }], End: true } };
    await run({ states, tasks: { f } });
    expect(given).toEqual([1, 1]);
  });

  it("counts three events and a transition for each retry, and tells the observer", async () => {
    let calls = 0;
    const f: TaskFunction = async () => {
      calls += 1;
      if (calls < 3) throw new Error("again");
      return null;
    };
    const states = { T: { ...invoke, Retry: [{ ErrorEquals: ["Error"], IntervalSeconds: 4 }], Output: {}, End: true } };
    const { ending, seen } = await run({ states, tasks: { f } });
    expect(ending).toMatchObject({ status: "SUCCEEDED", events: 13, transitions: 3 });
    expect(seen).toEqual([
      { execution: "x", state: "T", kind: "entered" },
      { execution: "x", state: "T", kind: "retrying", error: "Error", delayMs: 4000 },
      { execution: "x", state: "T", kind: "retrying", error: "Error", delayMs: 8000 },
      { execution: "x", state: "T", kind: "left", bytes: expect.any(Number) },
    ]);
  });

  it("tells the observer how much an execution carries: input, output and variables, in bytes", async () => {
    const states = {
      P: { Type: "Pass", Assign: { a: "長" }, Output: { b: 1 }, Next: "Q" },
      Q: { Type: "Pass", End: true },
    };
    const { seen } = await run({ states });
    const bytes = (...jsons: string[]) => Buffer.byteLength(jsons.join(""));
    expect(seen.flatMap((each) => (each.kind === "left" ? [each.bytes] : []))).toEqual([
      bytes("{}", '{"b":1}', '{"a":"長"}'),
      bytes('{"b":1}', '{"b":1}', '{"a":"長"}'),
    ]);
  });

  it("tells a catcher what was thrown, as Lambda writes it", async () => {
    const f: TaskFunction = async () => {
      throw new RangeError("too far");
    };
    const states = { T: { ...invoke, Catch: [caught], End: true }, Caught: { Type: "Succeed" } };
    const { ending, seen } = await run({ states, tasks: { f } });
    const { Error: error, Cause } = ending.output as { Error: string; Cause: string };
    expect(error).toBe("RangeError");
    expect(JSON.parse(Cause)).toEqual({ errorType: "RangeError", errorMessage: "too far", trace: [] });
    expect(seen).toContainEqual({ execution: "x", state: "T", kind: "caught", error, next: "Caught" });
  });

  it("catches a function that does not exist, and a state's time-out, which has no cause", async () => {
    const states = { T: { ...invoke, TimeoutSeconds: 5, Catch: [caught], End: true }, Caught };
    const missing = await run({ states });
    expect(missing.ending.output).toEqual({ caught: "Lambda.ResourceNotFoundException" });
    const slow = await run({ states, tasks: { f: () => new Promise(() => {}) } });
    expect(slow.ending.output).toEqual({ caught: "States.Timeout" });
    expect(slow.clock.now()).toBe(5000);
  });

  it("catches what an Assign cannot evaluate, and then assigns none of it", async () => {
    const states = {
      Init: { Type: "Pass", Assign: { a: "old" }, Next: "T" },
      T: { ...invoke, Assign: { a: "new", b: "{% $states.result.Payload.absent %}" }, Catch: [caught], End: true },
      Caught: { Type: "Succeed", Output: ["{% $a %}", "{% $states.input.Error %}"] },
    };
    const { ending } = await run({ states, tasks: { f: async () => ({}) } });
    expect(ending.output).toEqual(["old", "States.QueryEvaluationError"]);
  });

  it.each<[string, Machine]>([
    ["an answer", { states: { T: { ...invoke, Output: {} } }, tasks: { f: async () => tooMuch } }],
    ["arguments", { states: { T: { ...invoke, Arguments: tooMuch } } }],
    ["a variable", { states: { T: { ...invoke, Assign: { v: tooMuch } } }, tasks: { f: async () => 1 } }],
    ["an output", { states: { T: { ...invoke, Output: tooMuch } }, tasks: { f: async () => 1 } }],
  ])("ends, uncatchably, where %s is larger than a state holds", async (_, { states, ...rest }) => {
    const T = { ...(states.T as object), Catch: [caught], Retry: [{ ErrorEquals: ["States.ALL"] }], End: true };
    const { ending } = await run({ ...rest, states: { T, Caught } });
    expect(ending).toMatchObject({ status: "FAILED", error: "States.DataLimitExceeded", transitions: 1 });
  });

  it("does not begin with more input than a state holds", async () => {
    const { ending } = await run({ states: { D: { Type: "Succeed" } }, input: tooMuch });
    expect(ending).toMatchObject({ status: "FAILED", error: "States.DataLimitExceeded", transitions: 0 });
  });

  const never: TaskFunction = () => new Promise(() => {});
  const failing: TaskFunction = async () => {
    throw new Error("again");
  };
  it.each<[string, Json, TaskFunction]>([
    ["a Wait", { Type: "Wait", Seconds: 100, Next: "Caught" }, never],
    ["a function", { ...invoke, Catch: [caught], End: true }, never],
    [
      "a retry's delay",
      { ...invoke, Retry: [{ ErrorEquals: ["Error"], IntervalSeconds: 100 }], Next: "Caught" },
      failing,
    ],
  ])("is aborted promptly in %s", async (_, T, f) => {
    const { ending, seen, clock } = await run({ states: { T, Caught }, tasks: { f }, abortAtMs: 50_000 });
    expect(seen.map(({ kind }) => kind)).not.toContain("caught");
    expect(ending).toMatchObject({ status: "ABORTED", transitions: 1 });
    expect(clock.now()).toBe(50_000);
  });

  it("does not begin when it is aborted before", async () => {
    const { ending, seen } = await run({ states: { D: { Type: "Succeed" } }, abortAtMs: 0 });
    expect(ending.status).toBe("ABORTED");
    expect(seen).toEqual([]);
  });
});
