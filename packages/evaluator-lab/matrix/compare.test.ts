import { describe, expect, it } from "vitest";
import type { Ran } from "../world/command.ts";
import { type Cell, disagreement, disagreements, tableOf, truthOf } from "./compare.ts";
import { KINDS, RUNNERS, treeOf } from "./trees.ts";
import { VERSIONS } from "./versions.ts";

const ran = (code: number | null, tail: string): Ran => ({ code, tail, seconds: 1 });
const said = (status: Cell["tests"]["status"], passed = 0): Cell["tests"] => ({
  ...{ status, passed, failed: 0, errors: 0, skipped: 0 },
});

describe("the truth of a plain runner", () => {
  it.each([
    ["pytest", 0, "2 passed, 1 skipped in 0.02s", { colour: "green", passed: 2 }],
    ["pytest", 5, "no tests ran in 0.00s", { colour: "no tests" }],
    ["node --test", 1, "ℹ tests 2\nℹ pass 1\nℹ fail 1\n", { colour: "red", passed: 1 }],
    ["node --test", 0, "# tests 0\n# pass 0\n", { colour: "no tests" }],
    ["vitest", 0, "\u001b[2m Tests \u001b[22m 2 passed | 1 skipped (3)", { colour: "green", passed: 2 }],
    ["vitest", 1, "No test files found, exiting with code 1", { colour: "no tests" }],
    ["jest", 1, "Tests:       1 failed, 1 passed, 2 total", { colour: "red", passed: 1 }],
    ["mocha", 0, "  2 passing (3ms)\n  1 pending\n", { colour: "green", passed: 2 }],
    ["mocha", 0, "  0 passing (3ms)\n", { colour: "no tests" }],
    ["mocha", 0, "  10 passing (3ms)\n", { colour: "green", passed: 10 }],
    ["go test", 1, "--- PASS: TestOne (0.00s)\n--- FAIL: TestAdd (0.00s)\nFAIL\n", { colour: "red", passed: 1 }],
    ["go test", null, "--- PASS: TestOne (0.00s)\n", { colour: "late" }],
  ] as const)("%s %s %s", (runner, code, tail, truth) => expect(truthOf(runner, ran(code, tail))).toEqual(truth));
});

describe("a verdict beside it", () => {
  it("agrees by its colour, and by the number of passing tests", () => {
    const truth = { colour: "green", passed: 2 } as const;
    expect(disagreement("healthy", { truth, tests: said("passed", 2) })).toBeUndefined();
    expect(disagreement("healthy", { truth, tests: said("passed", 1) })).toContain("counts 2 passed");
    expect(disagreement("healthy", { truth, tests: said("failed", 2) })).toContain("failed 2/0/0/0");
    expect(disagreement("crashing", { truth: { colour: "red", passed: 1 }, tests: said("crashed") })).toBeUndefined();
  });

  it("disagrees where it is neither, and where nothing could be made ready", () => {
    const truth = { colour: "red", passed: 0 } as const;
    expect(disagreement("red", { truth, tests: said("not_run") })).toContain("not_run");
    expect(disagreement("red", { truth: { colour: "late" }, tests: said("timed_out") })).toContain("late");
    const rows = [
      { label: "jest 1", cells: { healthy: { problem: "no network" }, red: { truth, tests: said("passed") } } },
    ];
    expect(disagreements(rows)).toHaveLength(2);
    expect(tableOf(rows)).toContain("| NOT RUN | DISAGREE |");
  });
});

describe("the matrix", () => {
  it("has versions of every runner, and for each trees that differ", () => {
    expect(new Set(VERSIONS.map(({ runner }) => runner))).toEqual(new Set(RUNNERS));
    for (const { runner, version } of VERSIONS) {
      const trees = KINDS.map((kind) => treeOf(runner, kind, version))
        .filter((tree) => tree !== undefined)
        .map((tree) => JSON.stringify(tree));
      expect(new Set(trees).size).toBe(trees.length);
      expect(trees.length).toBeGreaterThanOrEqual(5);
    }
  });
});
