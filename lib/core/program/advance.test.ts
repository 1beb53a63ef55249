import { describe, expect, it } from "vitest";
import { skippedDeliveryCheck } from "../run/delivery-check.ts";
import type { RunStatus } from "../run/run.ts";
import { advance } from "./advance.ts";

describe("what is next for a run", () => {
  const run = { status: "running" as RunStatus, instructions: 3, pc: 1, packed: 0 };
  it("plans before it has a program, executes while the counter is in it, delivers after it", () => {
    expect(advance({ ...run, instructions: 0, pc: 0, packed: -1 })).toBe("plan");
    expect(advance(run)).toBe("execute");
    expect(advance({ ...run, pc: 4, packed: 3 })).toBe("smoke");
    expect(advance({ ...run, pc: 4, packed: 3, smoke: skippedDeliveryCheck("turned_off") })).toBe("deliver");
  });
  it("packs an accepted instruction before anything else may change the tree", () => {
    expect(advance({ ...run, pc: 2, packed: 0 })).toBe("pack");
    expect(advance({ ...run, pc: 4, packed: 2 })).toBe("pack");
  });
  it("skips before it executes, and packs before it skips", () => {
    expect(advance({ ...run, pc: 2, packed: 1, skipping: true })).toBe("skip");
    expect(advance({ ...run, pc: 2, packed: 0, skipping: true })).toBe("pack");
    expect(advance({ ...run, pc: 2, packed: 1, skipping: true, status: "waiting" })).toBe("stop");
  });
  it.each(["waiting", "completed", "partial", "failed", "cancelled"] as const)(
    "stops where the run is %s",
    (status) => {
      expect(advance({ ...run, status })).toBe("stop");
    },
  );
});
