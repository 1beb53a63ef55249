/** The Map state of the control unit: what its lanes add to the history, and how they end. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../test/virtual-clock.ts";
import { HISTORY_EVENTS, LANES } from "../core/limits.ts";
import type { Json } from "../core/text/json.ts";
import { loadDefinition } from "./asl-definition.ts";
import { createEngine } from "./engine.ts";

const CONTROL_UNIT = readFileSync(new URL("../../statemachine/control-unit.asl.json", import.meta.url), "utf8");
const START = "arn:aws:states:::states:startExecution";

const WAIT = { next: "wait", waitSeconds: 10 };

interface LaneCall {
  lane?: number;
  last?: boolean;
}

interface RunParts {
  lanes: number;
  loopLimit: number;
  /** So often the plan waits first. */
  planned?: number;
  execute: (call: LaneCall) => Json | Promise<Json>;
}

async function run({ lanes, loopLimit, planned = 0, execute }: RunParts) {
  const clock = createVirtualClock();
  const recorded: Json[] = [];
  let waits = 0;
  const tasks = {
    plan: async () => (waits++ < planned ? WAIT : { next: "execute", lanes }),
    execute: async (payload: Json) => execute(payload as LaneCall),
    deliver: async () => ({}),
    async "record-failure"(payload: Json) {
      recorded.push(payload);
      return {};
    },
    [START]: async () => ({}),
  };
  const definition = loadDefinition(CONTROL_UNIT, {
    ...{ PlanFunction: "plan", ExecuteFunction: "execute", DeliverFunction: "deliver", Partition: "aws" },
    ...{ RecordFailureFunction: "record-failure", StateMachineArn: "control-unit", LoopLimit: String(loopLimit) },
  });
  const engine = createEngine({ definition, tasks, clock, random: () => 1 });
  const { signal } = new AbortController();
  const ending = await engine.execute({ name: "r-3", input: { runId: "r", epoch: 3 }, signal });
  return { ending, recorded };
}

describe("the lanes of the control unit", () => {
  it("begin the next epoch far below the limit of the history, however long the plan waited", async () => {
    const lasts: number[] = [];
    const { ending } = await run({
      ...{ lanes: LANES, loopLimit: 2_000, planned: 1_500 },
      execute({ lane, last }) {
        if (last) lasts.push(lane ?? 0);
        return WAIT;
      },
    });
    expect(ending.startedNext?.name).toBe("r-4");
    expect(ending.events).toBeLessThan(0.8 * HISTORY_EVENTS);
    // The first lane closes the others, and the run then moves to its next epoch.
    expect(lasts).toEqual([1, 0]);
  });

  it("end with the first one: the run is recorded as failed, under the name of the error", async () => {
    const { ending, recorded } = await run({
      ...{ lanes: 3, loopLimit: 1_000 },
      execute: ({ lane }) => (lane === 1 ? {} : WAIT),
    });
    expect(ending).toMatchObject({ status: "FAILED", error: "L2mac.States.QueryEvaluationError" });
    expect(recorded).toMatchObject([
      { error: "States.QueryEvaluationError", cause: expect.stringContaining("Payload.next") },
    ]);
  });

  it("go on without one that fails", async () => {
    const { ending, recorded } = await run({
      ...{ lanes: 2, loopLimit: 1_000 },
      execute({ lane }) {
        if (lane === 2) throw new Error("it broke");
        return { next: "deliver" };
      },
    });
    expect(ending.status).toBe("SUCCEEDED");
    expect(recorded).toEqual([]);
  });
});
