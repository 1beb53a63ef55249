import { describe, expect, it } from "vitest";
import { notRun, type TestCase, type Verdict } from "../verdict/verdict.ts";
import { outcomeOf } from "./outcome.ts";

const ran = (cases: TestCase[], over: Partial<Verdict["tests"]> = {}): Verdict => {
  const none = notRun("not_asked");
  const red = cases.some(({ status }) => status === "failed" || status === "error");
  return { ...none, tests: { ...none.tests, status: red ? "failed" : "passed", reason: undefined, cases, ...over } };
};
const failed = (message: string, status: TestCase["status"] = "failed"): Verdict =>
  ran([{ name: "test/a.test.js > adds", status, message }]);
const statusOf = (verdict: Verdict, tests = ["test/a.test.js"]): string => outcomeOf({ tests }, verdict).status;

describe("the outcome of tests", () => {
  it.each([
    ["AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n4 !== 3\n    at TestContext", "refuted"],
    ["AssertionError: expected 4 to be 3 // Object.is equality\n    at /src", "refuted"],
    ["Error: expect(received).toBe(expected)\n    at Object", "refuted"],
    ["test_a.py:5: in test_x\n    assert add(1, 2) == 3\nE   assert 4 == 3\nE    +  where 4 = add(1, 2)", "refuted"],
    [
      "test_a.py:5: in test_x\n    with pytest.raises(ValueError):\nE   Failed: DID NOT RAISE <class 'ValueError'>",
      "refuted",
    ],
    ['Traceback (most recent call last):\n  File "a.py", line 3\nAssertionError: 4 != 3\n', "refuted"],
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/src/a.js' imported from /tmp/test/a.test.js", "missing"],
    ["E   ModuleNotFoundError: No module named 'shop'", "missing"],
    ["TypeError: sum is not a function\n    at Test", "missing"],
    [
      "test_a.py:5: in test_x\n    assert add(1, 2) == 3\na.py:2: in add\n    return one + None\nE   TypeError: unsupported",
      "failed",
    ],
    ["TypeError: Cannot read properties of undefined (reading 'total')", "failed"],
  ])("of %j is %s", (message, status) => {
    expect(statusOf(failed(message))).toBe(status);
  });

  it("is missing where a file breaks before its tests, and where the named test did not run", () => {
    expect(statusOf(failed("AssertionError: at import", "error"))).not.toBe("refuted");
    expect(statusOf(ran([]))).toBe("missing");
    expect(statusOf(ran([{ name: "test/a.test.js > adds", status: "skipped" }]))).toBe("missing");
    expect(statusOf(ran([{ name: "test/a.test.js > adds", status: "passed" }]), ["test/a.test.js::other"])).toBe(
      "missing",
    );
  });

  it("is of the tests that are named, as runners and people name them", () => {
    const cases: TestCase[] = [
      { name: "test/a.test.js > sums > adds", status: "passed" },
      { name: "test/a.test.js > fails", status: "failed", message: "AssertionError: no" },
      { name: "tests/test_a.py::CaseTest::test_plus", status: "passed" },
    ];
    for (const one of [
      "test/a.test.js::adds",
      "test/a.test.js::sums > adds",
      "tests/test_a.py::test_plus",
      "tests/test_a.py::CaseTest::test_plus",
    ])
      expect([one, statusOf(ran(cases), [one])]).toEqual([one, "passed"]);
    expect(statusOf(ran(cases), ["test/a.test.js"])).toBe("refuted");
  });

  it("is unknown where the sandbox broke, time ran out or nothing could run", () => {
    for (const over of [
      { status: "crashed" },
      { status: "timed_out" },
      { status: "not_run", reason: "no_toolchain" },
    ] as const)
      expect(statusOf(ran([], over))).toBe("unknown");
  });
});

describe("the outcome of a command", () => {
  const outcome = (command: Partial<NonNullable<Verdict["command"]>>, expected?: { exit?: number; stdout?: string }) =>
    outcomeOf(
      { argv: ["node", "a.js"], ...(expected ? { expect: expected } : {}) },
      { ...notRun("not_asked"), command: { status: "passed", exitCode: 0, stdout: "", stderr: "", ...command } },
    ).status;

  it("is green where it exits and prints as expected", () => {
    expect(outcome({})).toBe("passed");
    expect(outcome({ status: "failed", exitCode: 2 }, { exit: 2 })).toBe("passed");
    expect(outcome({ stdout: "7 \r\n" }, { stdout: "7" })).toBe("passed");
  });

  it("is refuted where it prints something else, missing where it cannot begin, failed where it breaks", () => {
    expect(outcome({ stdout: "8\n" }, { stdout: "7" })).toBe("refuted");
    expect(outcome({ status: "failed", exitCode: 1, stderr: "Error: Cannot find module 'x'" })).toBe("missing");
    expect(outcome({ status: "failed", exitCode: 1, stderr: "TypeError: boom" })).toBe("failed");
    expect(outcome({ status: "not_found", exitCode: null })).toBe("missing");
    expect(outcome({ status: "timed_out", exitCode: null })).toBe("unknown");
  });

  it("reads the diagnostics of TAP, which the test runner of Node 22 prints into a pipe", () => {
    const tap = (name: string): string =>
      `TAP version 13\nnot ok 1 - s\n    not ok 1 - adds\n      ---\n      error: |-\n        1 !== 2\n      name: '${name}'\n      ...\n`;
    expect(outcome({ status: "failed", exitCode: 1, stdout: tap("AssertionError") })).toBe("refuted");
    expect(outcome({ status: "failed", exitCode: 1, stdout: tap("TypeError") })).toBe("failed");
  });

  it("holds no secret in what is kept of its output", () => {
    const key = `sk-${"a1B2".repeat(12)}`;
    const kept = outcomeOf(
      { argv: ["a"], expect: { stdout: "x" } },
      { ...notRun("not_asked"), command: { status: "passed", exitCode: 0, stdout: key, stderr: "" } },
    );
    expect(JSON.stringify(kept)).not.toContain(key);
  });
});
