import { describe, expect, it } from "vitest";
import type { Event } from "../../core/run/event.ts";
import { lineOf } from "./event-line.ts";

const aVerdict = (over: Partial<Extract<Event, { type: "verdict" }>>): Event => ({
  ...{ type: "verdict", seq: 1, at: "2026-01-01T00:00:00.000Z", instruction: 1, turn: 1, gate: "blocked", detail: "" },
  ...{ syntax: "passed", tests: "failed", passed: 1, failed: 1, errors: 0 },
  ...over,
});
const evaluator = { requestId: "6f1b", traceId: "1-5759e988-bd862e3fe1be46a994272793" };

describe("the line of a verdict", () => {
  it.each(["failed", "crashed", "timed_out"])("names the evaluator request where tests %s", (tests) => {
    expect(lineOf(aVerdict({ tests, evaluator }), 1)).toContain("evaluator request 6f1b");
  });

  it("says why an instruction was not accepted, also where the tests pass", () => {
    const refusal = ["locked tests: test/sum.test.js:3 it is skipped"];
    expect(lineOf(aVerdict({ tests: "passed", failed: 0, refusal }), 1)).toBe(
      "  verdict: syntax passed, tests passed (1 passed, 0 failed): not accepted: locked tests: test/sum.test.js:3 it is skipped",
    );
  });

  it("says how much was looked at, where it was not everything", () => {
    const scope = { syntax: { files: 3, of: 500 }, tests: { files: 1, of: 120 } };
    expect(lineOf(aVerdict({ scope }), 1)).toContain(
      "tests failed (1 passed, 1 failed) (checked 3 of 500 files, ran 1 of 120 test files; everything at the gate)",
    );
    expect(lineOf(aVerdict({}), 1)).not.toContain(" of ");
  });

  it.each([
    [
      "a file of tests could not be loaded",
      { passed: 3, failed: 0, errors: 1, testErrors: 1 },
      "passed",
      "3 passed, 0 failed, 1 error",
    ],
    [
      "an earlier version counted errors together",
      { passed: 3, failed: 0, errors: 2 },
      "passed",
      "3 passed, 0 failed, 2 errors",
    ],
    [
      "the syntax is wrong too",
      { passed: 0, failed: 1, errors: 3, testErrors: 1 },
      "failed (2 errors)",
      "0 passed, 1 failed, 1 error",
    ],
    ["only the syntax is wrong", { passed: 0, failed: 1, errors: 3 }, "failed (3 errors)", "0 passed, 1 failed"],
  ])("counts errors of tests where %s", (_, counts, syntax, tests) => {
    const verdict = aVerdict({ ...counts, syntax: syntax.split(" ")[0] ?? "" });
    expect(lineOf(verdict, 1)).toBe(`  verdict: syntax ${syntax}, tests failed (${tests})`);
  });

  it("says a status in words", () => {
    const verdict = aVerdict({ syntax: "timed_out", tests: "not_found", passed: 0, failed: 0 });
    expect(lineOf(verdict, 1)).toBe("  verdict: syntax timed out, tests not found");
  });

  it("does not where all is well, nor where this computer evaluates", () => {
    expect(lineOf(aVerdict({ tests: "passed", evaluator, gate: "accepted" }), 1)).not.toContain("request");
    expect(lineOf(aVerdict({}), 1)).not.toContain("request");
  });
});

it("a call that was refused says why in the line of its turn", () => {
  const refused = { name: "write_files", ok: false, note: "refused", reason: "../../out.txt leaves the project" };
  const event: Event = {
    ...{ type: "turn", seq: 1, at: "2026-01-01T00:00:00.000Z", instruction: 1, turn: 2, outcome: "tools" },
    ...{ tools: [refused, { name: "read_files", ok: true, note: "a.js" }], inputTokens: 1, cachedTokens: 0 },
    ...{ outputTokens: 1, microUsd: 0, milliseconds: 5, contextTokens: 1 },
  };
  const says = "turn 2: ✘ write_files refused: ../../out.txt leaves the project, read_files a.js ·";
  expect(lineOf(event, 1)).toContain(says);
});

it("a stuck instruction names its cause; the evidence is in the sentence with which the run ends", () => {
  const trap = { kind: "loop", detail: "the same calls came back", repeated: "run_checks {}", times: 9 } as const;
  const at = "2026-01-01T00:00:00.000Z";
  expect(
    lineOf({ type: "trapped", seq: 1, at, instruction: 1, turn: 9, title: "Part 1", trap, onTrap: "stop" }, 3),
  ).toBe("✘ 1/3 Part 1 · stuck: the same calls came back");
});

describe("the line of an amendment", () => {
  it("names the test and why it is changed, without what a terminal would obey", () => {
    const amendments = [
      { path: "tests/test_x.py", reason: "the task says 3\u001b[2J" },
      { path: "pytest.ini", reason: "tests lie elsewhere" },
    ];
    const event: Event = {
      type: "amended",
      seq: 1,
      at: "2026-01-01T00:00:00.000Z",
      instruction: 1,
      turn: 2,
      amendments,
    };
    const line = "  amended tests/test_x.py: the task says 3; amended pytest.ini: tests lie elsewhere";
    expect(lineOf(event, 1)).toBe(line);
  });
});

it.each([
  ["timed_out", "the tests ran out of time, so that it is not known which are red; --check-minutes allows more"],
  ["not_run", "tests not run"],
])("says of the files that a run starts from, where their tests are %s, that none is known", (tests, words) => {
  const counts = { passed: 0, failed: 0, errors: 0, knownRed: 0 };
  const baseline: Event = {
    type: "baseline",
    seq: 1,
    at: "2026-01-01T00:00:00.000Z",
    syntax: "passed",
    tests,
    ...counts,
  };
  expect(lineOf(baseline, 1)).toBe(`the files that it starts from: ${words}`);
});
