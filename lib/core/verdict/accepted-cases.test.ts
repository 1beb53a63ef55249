import { describe, expect, it } from "vitest";
import { acceptedCases, isSkippedFromOutside, lostCases } from "./accepted-cases.ts";
import { notRun, type TestCase, type Verdict } from "./verdict.ts";

function verdict(cases: Record<string, TestCase["status"]>, over: Partial<Verdict["tests"]> = {}): Verdict {
  const none = notRun("nothing_to_check");
  const listed = Object.entries(cases).map(([name, status]) => ({ name, status }));
  return { ...none, tests: { ...none.tests, status: "passed", runner: "pytest", cases: listed, ...over } };
}
const before = acceptedCases(verdict({ "a.py::one": "passed", "a.py::two": "passed", "b.py::off": "skipped" }), []);
const lost = (cases: Record<string, TestCase["status"]>, touched: string[] = [], over = {}) =>
  lostCases({ before, verdict: verdict(cases, over), touched }).map(({ path }) => path);

describe("cases of the last accepted tree", () => {
  it("are kept by name, without given ones", () => {
    expect(before).toEqual({ runner: "pytest", passed: ["a.py::one", "a.py::two"], skipped: ["b.py::off"] });
    expect(acceptedCases(verdict({ "a.py::one": "passed" }), ["a.py"])?.passed).toEqual([]);
  });

  it("are not kept where not all are listed, or nothing ran", () => {
    expect(acceptedCases(verdict({ "a.py::one": "passed" }, { passed: 2 }), [])).toBeUndefined();
    expect(acceptedCases(verdict({}, { status: "not_run" }), [])).toBeUndefined();
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`${String.fromCharCode(97 + at).repeat(250)}`, "passed" as const]),
    );
    expect(acceptedCases(verdict(many), [])).toBeUndefined();
  });

  it("are lost where they are skipped, or not there any more, whatever else passes", () => {
    expect(lost({ "a.py::one": "skipped", "a.py::two": "passed", "c.py::new": "passed" })).toEqual(["a.py::one"]);
    expect(lost({ "a.py::one": "passed", "c.py::new": "passed" })).toEqual(["a.py::two"]);
    expect(lost({ "a.py::one": "passed", "a.py::two": "failed", "b.py::off": "skipped" })).toEqual([]);
  });

  it("may be other ones in files that the instruction touched, and under another runner", () => {
    expect(lost({ "c.py::new": "passed" }, ["a.py"])).toEqual([]);
    expect(lost({ "c.py::new": "passed" }, ["a_test.go"])).toEqual([]);
    expect(lost({ "c.py::new": "passed" }, [], { runner: "unittest" })).toEqual([]);
    expect(lost({ "c.py::new": "passed" }, [], { passed: 600 })).toEqual([]);
  });

  it("are not lost where the run did not come to its end", () => {
    expect(lost({}, [], { status: "not_run", reason: "out_of_time" })).toEqual([]);
    expect(lost({ "a.py::one": "passed" }, [], { status: "timed_out" })).toEqual([]);
    expect(lost({}, [], { status: "crashed" })).toEqual([]);
  });

  it("are the same under names that change from run to run", () => {
    const first = acceptedCases(verdict({ "a.py::at[0x7f1-b]": "passed", "a.py::run 17": "passed" }), []);
    const now = verdict({ "a.py::at[0x8e2-c]": "passed", "a.py::run 18": "passed" });
    expect(lostCases({ before: first, verdict: now, touched: [] })).toEqual([]);
  });

  it("tell what an accepted version skips by itself from what the code skips", () => {
    const off = (name: string) => ({ name, status: "skipped" as const });
    expect(isSkippedFromOutside(off("a.py::one"), before, "skip")).toBe(true);
    expect(isSkippedFromOutside(off("b.py::off"), before, "")).toBe(false);
    expect(isSkippedFromOutside(off("a.py::older"), before, "def older(): ...")).toBe(true);
    expect(isSkippedFromOutside(off("a.py::older"), before, "@unittest.skip('x')")).toBe(false);
    expect(isSkippedFromOutside({ name: "a.py::one", status: "passed" }, before, "")).toBe(false);
  });
});
