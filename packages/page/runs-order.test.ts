import { describe, expect, it } from "vitest";
import { aRun } from "../../test/doubles/runs.ts";
import { inOrder, ORDERS, type Order } from "./runs-order.ts";

const runs = [
  aRun({ name: "b", createdAt: "2026-01-03T00:00:00Z", microUsd: 5, activeMs: 9, testsTotal: 3, testsPassed: 3 }),
  aRun({ name: "c", createdAt: "2026-01-02T00:00:00Z", microUsd: 7, activeMs: 1, testsTotal: 9, testsPassed: 4 }),
  aRun({ name: "a", createdAt: "2026-01-01T00:00:00Z", microUsd: 5, activeMs: 3, testsTotal: 9, testsPassed: 8 }),
].map((run) => ({ ...run, status: "completed" as const }));

describe("a list of runs", () => {
  it.each<[Order, string]>([
    ["newest", "bca"],
    ["oldest", "acb"],
    ["name", "abc"],
    ["cost", "cba"],
    ["time", "bac"],
    ["tests", "cab"],
  ])("is ordered by %s, equal ones newest first", (order, names) => {
    expect(
      inOrder(runs, order, 0)
        .map(({ name }) => name)
        .join(""),
    ).toBe(names);
  });

  it("counts the time of a running run up to now", () => {
    const [first, ...others] = runs;
    const running = { ...aRun({ name: "r" }), status: "running" as const, updatedAt: new Date(0).toISOString() };
    expect(inOrder([...(first ? [first] : []), ...others, running], "time", 60_000)[0]?.name).toBe("r");
    expect(Object.keys(ORDERS)).toHaveLength(6);
  });
});
