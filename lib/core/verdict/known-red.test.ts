import { describe, expect, it } from "vitest";
import { countKnownRed, knownRedAfter, knownRedOf, markKnownRed } from "./known-red.ts";
import { notRun, type TestCase, type Verdict } from "./verdict.ts";

const none = notRun("nothing_to_check");
const cases = (status: TestCase["status"], ...names: string[]): TestCase[] => names.map((name) => ({ name, status }));
const verdict = (tests: Partial<Verdict["tests"]>, errors: Verdict["syntax"]["errors"] = []): Verdict => ({
  ...none,
  syntax: { status: errors.length > 0 ? "failed" : "passed", errors },
  tests: { ...none.tests, reason: undefined, status: "passed", ...tests },
});
const failing = (names: string[], passed: string[] = ["t.py::ok"]): Verdict =>
  verdict({
    status: "failed",
    ...{ passed: passed.length, failed: names.length },
    cases: [...cases("failed", ...names), ...cases("passed", ...passed)],
  });

describe("known red", () => {
  const known = knownRedOf(failing(["t.py::a", "t.py::b"]));

  it("is marked and not counted, and a marked verdict stays as it is", () => {
    const marked = markKnownRed(failing(["t.py::a", "t.py::b"]), known);
    expect(marked.tests).toMatchObject({ status: "passed", passed: 1, failed: 0, knownRed: { count: 2 } });
    expect(markKnownRed(marked, known)).toBe(marked);
    const grown = markKnownRed(failing(["t.py::a", "t.py::c"]), known);
    expect(grown.tests).toMatchObject({ status: "failed", failed: 1, knownRed: { count: 1 } });
    expect(grown.tests.cases.filter((one) => one.known).map(({ name }) => name)).toEqual(["t.py::a"]);
  });

  it("holds findings at whatever line they are, each as often as it was there", () => {
    const error = (line: number) => ({ path: "a.js", line, message: `unexpected token in line ${line}` });
    const before = knownRedOf(verdict({}, [error(3)]));
    expect(markKnownRed(verdict({}, [error(9)]), before).syntax).toMatchObject({ status: "passed" });
    const two = markKnownRed(verdict({}, [error(3), error(9)]), before).syntax;
    expect(two).toMatchObject({ status: "failed", knownRed: { count: 1 } });
  });

  it("is mended only by a case that passes; one that is skipped is still red, one that is deleted no credit", () => {
    const now = verdict({
      ...{ passed: 1, skipped: 1 },
      cases: [...cases("passed", "t.py::a"), ...cases("skipped", "t.py::b")],
    });
    expect(knownRedAfter(known, markKnownRed(now, known))).toMatchObject({
      left: { cases: ["t.py::b"] },
      mended: ["t.py::a"],
    });
    const deleted = verdict({ passed: 1, cases: cases("passed", "t.py::ok") });
    expect(knownRedAfter(known, deleted)).toMatchObject({ left: { cases: [] }, mended: [] });
  });

  it("of a file that could not be loaded hides its cases: what shows then may have been red", () => {
    const hidden = knownRedOf(verdict({ status: "failed", errors: 1, cases: cases("error", "t.py") }));
    const shown = markKnownRed(failing(["t.py::a"]), hidden);
    expect(shown.tests).toMatchObject({ status: "passed", knownRed: { count: 1, isUncertain: true } });
    expect(knownRedAfter(hidden, shown)).toMatchObject({ left: { cases: ["t.py::a"] }, mended: ["t.py"] });
  });

  it("that its time ended makes no case known, and what an earlier version stored of it makes all of them", () => {
    for (const stopped of [verdict({ status: "timed_out" }), verdict({ status: "not_run", reason: "out_of_time" })]) {
      const unknown = knownRedOf(stopped);
      expect(unknown).toEqual({ cases: [], findings: [], tests: "not_run" });
      const red = failing(["t.py::a"]);
      expect(markKnownRed(red, unknown)).toEqual(red);
      expect(knownRedAfter(unknown, red).left).toEqual({ cases: [], findings: [] });
      expect(markKnownRed(verdict({ status: "timed_out" }), unknown).tests.knownRed).toMatchObject({
        isUncertain: true,
      });
      const stored = { ...unknown, tests: "timed_out" as const };
      expect(markKnownRed(red, stored).tests.knownRed).toEqual({ count: 1, isUncertain: true });
    }
  });

  it("that did not come to its end is unknown", () => {
    const unknown = knownRedOf(verdict({ status: "crashed" }));
    expect(countKnownRed(unknown)).toBe(1);
    const marked = markKnownRed(failing(["t.py::a"]), unknown);
    expect(marked.tests.knownRed).toEqual({ count: 1, isUncertain: true });
    expect(knownRedAfter(unknown, marked).left).toEqual({ cases: ["t.py::a"], findings: [] });
  });

  it("beyond what a verdict lists is held to its number", () => {
    const many = (failed: number) => verdict({ status: "failed", failed, cases: cases("failed", "t.py::a") });
    const before = knownRedOf(many(700));
    expect(before).toMatchObject({ cases: ["t.py::a"], more: 699 });
    expect(markKnownRed(many(700), before).tests).toMatchObject({ status: "passed", knownRed: { isUncertain: true } });
    expect(markKnownRed(many(701), before).tests).toMatchObject({ status: "failed" });
  });
});
