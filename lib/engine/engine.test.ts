import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../test/virtual-clock.ts";
import { UserError } from "../core/errors.ts";
import { HANDLER_ANSWER_BYTES, HISTORY_EVENTS, INVOCATION_MS, LOOPS_PER_EXECUTION } from "../core/limits.ts";
import type { Json } from "../core/text/json.ts";
import { loadDefinition } from "./asl-definition.ts";
import type { TaskFunction } from "./asl-invoke.ts";
import { createEngine } from "./engine.ts";

const CONTROL_UNIT = readFileSync(new URL("../../statemachine/control-unit.asl.json", import.meta.url), "utf8");
const START = "arn:aws:states:::states:startExecution";

type Answer = Json | Error | Promise<Json>;
const NEVER = new Promise<Json>(() => {});

interface Called {
  task: string;
  payload: Json;
  at: number;
}

/** Runs the control unit with handlers that answer from a list, its last entry over and over. */
async function run(answers: Partial<Record<string, Answer[]>>, loopLimit = LOOPS_PER_EXECUTION) {
  const clock = createVirtualClock();
  const called: Called[] = [];
  const answering =
    (task: string, list: Answer[]): TaskFunction =>
    async (payload) => {
      const answer = list[Math.min(called.filter((call) => call.task === task).length, list.length - 1)] ?? null;
      called.push({ task, payload, at: clock.now() });
      if (answer instanceof Error) throw answer;
      return answer;
    };
  const lists = { plan: [{ next: "execute" }], deliver: [{}], "record-failure": [{}], [START]: [{}], ...answers };
  const tasks = Object.fromEntries(
    Object.entries(lists).map(([task, list]) => [task, answering(task, list ?? [])] as const),
  );
  const engine = createEngine({ definition: controlUnit(loopLimit), tasks, clock, random: () => 1 });
  const input = { runId: "r", epoch: 3 };
  const ending = await engine.execute({ name: "r-3", input, signal: new AbortController().signal });
  return { ending, called, callsOf: (task: string) => called.filter((call) => call.task === task) };
}

const controlUnit = (loopLimit: number) =>
  loadDefinition(CONTROL_UNIT, {
    PlanFunction: "plan",
    ExecuteFunction: "execute",
    DeliverFunction: "deliver",
    RecordFailureFunction: "record-failure",
    StateMachineArn: "control-unit",
    Partition: "aws",
    LoopLimit: String(loopLimit),
  });

const thrown = (name: string, message = "so it is"): Error => Object.assign(new Error(message), { name });
const EXECUTE = { next: "execute" };

describe("the control unit, walked by the engine", () => {
  it("executes 50 instructions and delivers", async () => {
    const { ending, callsOf } = await run({ execute: [...Array(49).fill(EXECUTE), { next: "deliver" }] });
    expect(ending).toEqual({ status: "SUCCEEDED", output: {}, transitions: 105, events: 368 });
    expect(callsOf("plan")).toHaveLength(1);
    expect(callsOf("execute")).toHaveLength(50);
    expect(callsOf("deliver")).toHaveLength(1);
  });

  it("ends at once where the epoch is over", async () => {
    const { ending, called } = await run({ plan: [{ next: "stop" }] });
    expect(ending.status).toBe("SUCCEEDED");
    expect(called.map(({ task }) => task)).toEqual(["plan"]);
  });

  it("starts the next epoch after 1,000 loops of an endless program, telling the handler beforehand", async () => {
    const { ending, callsOf } = await run({ execute: [EXECUTE] });
    const next = { name: "r-4", input: { runId: "r", epoch: 4 } };
    expect(ending).toEqual({ status: "SUCCEEDED", output: {}, transitions: 2005, events: 7018, startedNext: next });
    expect(callsOf(START).map(({ payload }) => payload)).toEqual([
      { StateMachineArn: "control-unit", Name: next.name, Input: next.input },
    ]);
    const lasts = callsOf("execute").map(({ payload }) => (payload as { last: boolean }).last);
    expect(lasts).toEqual([...Array(LOOPS_PER_EXECUTION - 1).fill(false), true]);
  });

  it("succeeds where the next epoch was started already, without asking again", async () => {
    const exists = thrown("StepFunctions.ExecutionAlreadyExistsException");
    const { ending, callsOf } = await run({ execute: [EXECUTE], [START]: [exists] }, 2);
    expect(ending.status).toBe("SUCCEEDED");
    expect(ending.startedNext).toBeUndefined();
    expect(callsOf(START)).toHaveLength(1);
  });

  it("dies in the history, unrecorded, if it would never start the next epoch", async () => {
    const { ending, callsOf } = await run({ execute: [EXECUTE] }, 1_000_000);
    expect(ending).toMatchObject({ status: "FAILED", error: "States.Runtime", events: HISTORY_EVENTS });
    expect(callsOf("execute")).toHaveLength(3570);
    expect(callsOf("record-failure")).toHaveLength(0);
  });

  it("records a permanent error once, without asking again", async () => {
    const { ending, callsOf } = await run({ execute: [new UserError("no such key", { exitCode: 3 })] });
    expect(ending).toMatchObject({ status: "FAILED", error: "L2mac.UserError" });
    expect(callsOf("execute")).toHaveLength(1);
    expect(callsOf("record-failure").map(({ payload }) => payload)).toEqual([
      { runId: "r", epoch: 3, error: "L2mac.UserError", cause: expect.stringContaining("no such key") },
    ]);
  });

  it("asks Plan once more where AWS does not allow what a deployment may just have changed", async () => {
    const denied = thrown("L2mac.Denied");
    const { ending, called } = await run({ plan: [denied, EXECUTE], execute: [{ next: "deliver" }] });
    expect(ending.status).toBe("SUCCEEDED");
    expect(called.map(({ task, at }) => `${task} ${at / 1000}`)).toEqual([
      "plan 0",
      "plan 30",
      "execute 30",
      "deliver 30",
    ]);
    const { callsOf } = await run({ plan: [denied] });
    expect(callsOf("plan")).toHaveLength(2);
    expect(callsOf("record-failure")).toMatchObject([{ payload: { error: "L2mac.Denied" } }]);
  });

  it("asks Execute, which may have paid for an answer, never again where AWS does not allow something", async () => {
    const { callsOf } = await run({ execute: [thrown("L2mac.Denied")] });
    expect(callsOf("execute")).toHaveLength(1);
    expect(callsOf("record-failure")).toMatchObject([{ payload: { error: "L2mac.Denied" } }]);
  });

  it("asks 1 + 3 times where the outcome stays unknown, further and further apart, then records it", async () => {
    const { ending, callsOf } = await run({ execute: [thrown("Lambda.Unknown")] });
    expect(ending).toMatchObject({ status: "FAILED", error: "Lambda.Unknown" });
    expect(callsOf("execute").map(({ at }) => at / 1000)).toEqual([0, 5, 20, 65]);
    expect(callsOf("record-failure")).toHaveLength(1);
  });

  it("sits out hours of throttling", async () => {
    const throttled = Array(30).fill(thrown("Lambda.TooManyRequestsException"));
    const { ending, callsOf } = await run({ execute: [...throttled, { next: "deliver" }] });
    expect(ending.status).toBe("SUCCEEDED");
    expect(callsOf("execute").at(-1)?.at).toBeGreaterThan(4 * 3_600_000);
  });

  it("waits as long as the handler asked, then calls it again", async () => {
    const wait = { next: "wait", waitSeconds: 30 };
    const { ending, called } = await run({ plan: [wait, EXECUTE], execute: [wait, { next: "deliver" }] });
    expect(ending.status).toBe("SUCCEEDED");
    expect(called.map(({ task, at }) => `${task} ${at / 1000}`)).toEqual([
      ...["plan 0", "plan 30", "execute 30", "execute 60", "deliver 60"],
    ]);
  });

  it.each([
    ["Plan", "plan"],
    ["Execute", "execute"],
  ])("starts the next epoch after 1,000 waits of %s too, once the last of them is over", async (_, task) => {
    const wait = { next: "wait", waitSeconds: 10 };
    const { ending, callsOf } = await run({ [task]: [wait] });
    expect(ending).toMatchObject({
      status: "SUCCEEDED",
      startedNext: { name: "r-4", input: { runId: "r", epoch: 4 } },
    });
    const calls = callsOf(task);
    expect(callsOf(START).map(({ at }) => at)).toEqual([(calls.at(-1)?.at ?? 0) + 10_000]);
    expect(calls.length).toBeLessThanOrEqual(LOOPS_PER_EXECUTION + 1);
    expect(calls.map(({ payload }) => (payload as { last: boolean }).last).indexOf(true)).toBe(calls.length - 1);
    expect(ending.events).toBeLessThan(HISTORY_EVENTS / 2);
  });

  it.each([
    ["no next", {}, "States.QueryEvaluationError"],
    ["nothing", null, "States.QueryEvaluationError"],
    ["wait, but not how long", { next: "wait" }, "States.QueryEvaluationError"],
    ["wait, with words", { next: "wait", waitSeconds: "soon" }, "States.QueryEvaluationError"],
    ["an unknown next", { next: "dance" }, "L2mac.UnknownAnswer"],
  ])("records a handler that answers %s", async (_, answer, error) => {
    const { ending, callsOf } = await run({ execute: [answer] });
    // Step Functions keeps names that begin with States. to itself.
    expect(ending).toMatchObject({ status: "FAILED", error: error.replace(/^States\./, "L2mac.States.") });
    expect(callsOf("execute")).toHaveLength(1);
    expect(callsOf("record-failure").map(({ payload }) => (payload as { error: string }).error)).toEqual([error]);
  });

  it("keeps the first error where not even the recording works", async () => {
    const { ending } = await run({
      execute: [thrown("L2mac.UserError")],
      "record-failure": [thrown("Lambda.Unknown")],
    });
    expect(ending).toMatchObject({ status: "FAILED", error: "L2mac.UserError" });
  });

  it("records that the next epoch could not be started", async () => {
    const { callsOf } = await run({ execute: [EXECUTE], [START]: [thrown("StepFunctions.Other")] }, 1);
    expect(callsOf(START)).toHaveLength(4);
    expect(callsOf("record-failure")).toHaveLength(1);
  });

  it("records a start of the next epoch that never answers, though a time-out has no cause", async () => {
    const { ending, callsOf } = await run({ execute: [EXECUTE], [START]: [NEVER] }, 1);
    expect(ending).toMatchObject({ status: "FAILED", error: "L2mac.States.Timeout" });
    expect(callsOf(START)).toHaveLength(4);
    expect(callsOf("record-failure")).toMatchObject([{ payload: { error: "States.Timeout", cause: "" } }]);
  });

  it.each(["x", "長"])("lets only ids and counters travel, however much a handler says (%s)", async (said) => {
    const { called } = await run({ execute: [thrown("L2mac.UserError", said.repeat(100_000))] });
    expect(called).toHaveLength(3);
    for (const { payload } of called) {
      expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThanOrEqual(HANDLER_ANSWER_BYTES);
    }
  });

  it("gives up a handler that never answers at its limit, four times, and records that", async () => {
    const clock = createVirtualClock();
    const signals: AbortSignal[] = [];
    const recorded: Json[] = [];
    const tasks: Record<string, TaskFunction> = {
      plan: async (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      "record-failure": async (payload) => {
        recorded.push(payload);
        return {};
      },
    };
    const engine = createEngine({ definition: controlUnit(9), tasks, clock, random: () => 0 });
    const input = { runId: "r", epoch: 1 };
    const ending = await engine.execute({ name: "r-1", input, signal: new AbortController().signal });
    expect(ending).toMatchObject({ status: "FAILED", error: "Sandbox.Timedout" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
    expect(recorded).toMatchObject([{ error: "Sandbox.Timedout" }]);
    expect(clock.now()).toBe(4 * INVOCATION_MS);
  });
});
