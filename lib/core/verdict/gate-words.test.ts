import { describe, expect, it } from "vitest";
import type { GateCheck } from "./gate.ts";
import { type GateReport, gateNote, gateText, refusalOf } from "./gate-words.ts";
import { notRun, type Verdict } from "./verdict.ts";

const none = notRun("nothing_to_check");
const passing = (passed: number): Verdict => ({
  ...none,
  syntax: { ...none.syntax, status: "passed" },
  tests: { ...none.tests, status: "passed", passed },
});
const report = (over: Partial<GateReport>): GateReport => ({
  decision: { accepted: true, unchecked: [] },
  verdict: passing(2),
  weakened: [],
  standing: {},
  settings: { testsSeen: false },
  ...over,
});

describe("what the gate says", () => {
  it("is short where it accepts", () => {
    expect(gateText(report({}))).toBe("Accepted.");
    const decision = { accepted: true as const, unchecked: ["tests: no_toolchain"] };
    expect(gateText(report({ decision }))).toBe("Accepted. Unchecked: tests: no_toolchain.");
    expect(gateNote(decision, passing(2))).toEqual({ finding: "accepted, unchecked" });
  });

  it("names each weakened test with its place, some of them, and the two ways on", () => {
    const weakened = Array.from({ length: 25 }, (_, line) => ({
      path: `tests/test_${line}.py`,
      message: `it is skipped\n\u001b[31m${"now ".repeat(200)}`,
    }));
    const decision = { accepted: false as const, blocking: ["locked tests" as const] };
    const text = gateText(report({ decision, weakened, standing: { weakened: true } }));
    expect(text).toMatch(/^The instruction is not accepted yet: locked tests must be put right first\./);
    expect(text).toContain("tests/test_0.py it is skipped now");
    expect(text).toContain("tests/test_19.py it is skipped now");
    expect(text).not.toContain("test_20.py");
    expect(text).toContain("… and 5 more");
    expect(text).toContain("put back what was deleted");
    expect(text).toContain("amend_test");
    expect(text).not.toContain("\u001b");
    expect(text.length).toBeLessThan(12_000);
    expect(gateNote(decision, passing(2))).toEqual({ refusal: "locked tests" });
  });

  it("shows watchers what blocks, each with its first place", () => {
    const broken = passing(1);
    const verdict: Verdict = {
      ...broken,
      syntax: { status: "failed", errors: [{ path: "a.py", line: 3, message: "no\u001b[2J colon" }] },
      tests: {
        ...{ ...broken.tests, status: "failed", failed: 2, errors: 1 },
        cases: [
          { name: "t.py::ok", status: "passed" },
          { name: "t.py::sum", status: "failed" },
        ],
      },
      command: { status: "failed", exitCode: 4, stdout: "", stderr: "" },
    };
    const weakened = [
      { path: "t.py", message: "it is skipped" },
      { path: "u.py", message: "a file of accepted tests was deleted" },
    ];
    const blocking: GateCheck[] = ["syntax", "tests", "command", "locked tests", "given tests"];
    const given = { givenTests: { passed: 1, total: 4 }, givenBefore: { passed: 3, total: 4 } };
    expect(refusalOf(report({ decision: { accepted: false, blocking }, verdict, weakened, ...given }))).toEqual([
      "syntax: a.py:3 no colon",
      "tests: t.py::sum (+2 more)",
      "command: failed (exit 4)",
      "locked tests: t.py it is skipped (+1 more)",
      "given tests: 1 pass, 3 passed before",
    ]);
    const vanished = report({ decision: { accepted: false, blocking: ["tests"] }, standing: { passedBefore: 3 } });
    expect(refusalOf(vanished)).toEqual(["tests: 2 pass, 3 passed before"]);
    expect(refusalOf(report({}))).toEqual([]);
  });

  it("speaks of a book's text and not of its syntax", () => {
    const decision = { accepted: false as const, blocking: ["syntax" as const] };
    const none = passing(0);
    const verdict: Verdict = { ...none, syntax: { status: "failed", reason: "prose", errors: [] } };
    expect(gateText(report({ decision, verdict }))).toMatch(
      /^The instruction is not accepted yet: the text must be put right/,
    );
    expect(gateNote(decision, verdict)).toEqual({ refusal: "the text" });
    expect(gateNote(decision, none)).toEqual({ refusal: "syntax" });
  });

  it("says how many tests have vanished", () => {
    const decision = { accepted: false as const, blocking: ["tests" as const] };
    const text = gateText(report({ decision, standing: { passedBefore: 3 } }));
    expect(text).toContain("3 tests passed in the last accepted tree, and 2 pass now");
    expect(gateText(report({ decision, standing: { passedBefore: 2 } }))).not.toContain("vanished");
  });

  it("says what cannot run any more with what to do about it, and that nothing was changed", () => {
    const verdict: Verdict = {
      ...passing(0),
      tests: { ...none.tests, status: "not_run", reason: "package_missing", detail: "oracledb" },
    };
    const settings = { testsSeen: true };
    const decision = { accepted: false as const, blocking: ["tests" as const] };
    const lost = gateText(report({ decision, verdict, settings, standing: { passedBefore: 40 } }));
    expect(lost).toContain(
      "Before this instruction 40 tests passed, and now none can run (a package is missing: oracledb).",
    );
    expect(lost).toContain("Use another package or the standard library");
    expect(gateText(report({ decision, verdict }))).not.toContain("now none can run");
    const idle = { accepted: false as const, blocking: ["changes" as const] };
    expect(gateText(report({ decision: idle }))).toMatch(
      /^The instruction is not accepted yet: nothing was changed\.[\s\S]+say in `summary` where it was done already/,
    );
    expect(refusalOf(report({ decision: idle }))).toEqual(["nothing was changed"]);
    expect(gateNote(idle, passing(2))).toEqual({ refusal: "nothing was changed" });
  });

  it("reports of given tests how many pass, and what the last instruction owes them", () => {
    const own = passing(2);
    const text = gateText(report({ own, givenTests: { passed: 3, total: 12 } }));
    expect(text).toMatch(/^Accepted\. Given tests: 3 of 12 pass now\. The last instruction is accepted only when all/);
  });
});
