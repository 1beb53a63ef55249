import { expect, it } from "vitest";
import { sweepMetrics } from "./sweep-metrics.ts";

const NOTHING = { started: 0, extended: 0, recorded: 0, deleted: 0, failed: 0 };

it("publishes no metric for a call of the sweeper that found nothing to do: each would be charged", () => {
  expect(sweepMetrics(NOTHING)).toEqual([]);
});

it("publishes what it did, and the sum that raises the alarm", () => {
  expect(sweepMetrics({ ...NOTHING, started: 2 })).toEqual([["Sweep.started", 2]]);
  expect(sweepMetrics({ ...NOTHING, recorded: 1, failed: 2 })).toEqual([
    ["Sweep.recorded", 1],
    ["Sweep.failed", 2],
    ["Sweep.problems", 3],
  ]);
});
