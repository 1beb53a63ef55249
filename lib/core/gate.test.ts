import { describe, expect, it } from "vitest";
import { decideGate, hasTests } from "./gate.ts";
import { type CheckStatus, notRun, type Verdict } from "./verdict.ts";

const settings = { testsSeen: false, syntax: true, tests: true };

function verdict(syntax: [CheckStatus, string?], tests: [CheckStatus, string?]): Verdict {
  const none = notRun("nothing_to_check");
  return {
    ...none,
    syntax: { ...none.syntax, status: syntax[0], reason: syntax[1] },
    tests: { ...none.tests, status: tests[0], reason: tests[1] },
  };
}

describe("the gate", () => {
  it("accepts what passed", () => {
    expect(decideGate(verdict(["passed"], ["passed"]), settings)).toEqual({ accepted: true, unchecked: [] });
  });

  it.each(["failed", "timed_out", "crashed"] as const)("blocks tests that %s", (status) => {
    expect(decideGate(verdict(["passed"], [status]), settings)).toEqual({ accepted: false, blocking: ["tests"] });
  });

  it.each(["failed", "timed_out", "crashed"] as const)("blocks a syntax check that %s", (status) => {
    expect(decideGate(verdict([status], ["passed"]), settings)).toEqual({ accepted: false, blocking: ["syntax"] });
  });

  it.each(["no_toolchain", "package_missing"])(
    "accepts as unchecked, never as green, what did not run because of %s",
    (reason) => {
      const decision = decideGate(verdict(["passed"], ["not_run", reason]), settings);
      expect(decision).toEqual({ accepted: true, unchecked: [expect.stringContaining(reason)] });
    },
  );

  it("accepts code without tests as unchecked until a tree with tests was accepted, and blocks it from then on", () => {
    const untested = verdict(["passed"], ["not_found"]);
    expect(decideGate(untested, settings)).toMatchObject({
      accepted: true,
      unchecked: [expect.stringContaining("no tests")],
    });
    expect(decideGate(untested, { ...settings, testsSeen: true })).toEqual({ accepted: false, blocking: ["tests"] });
  });

  it("counts what there is nothing to check of, and what the user turned off, as neither", () => {
    expect(decideGate(verdict(["not_run", "nothing_to_check"], ["not_run", "nothing_to_check"]), settings)).toEqual({
      accepted: true,
      unchecked: [],
    });
    expect(decideGate(verdict(["passed"], ["not_run", "turned_off"]), settings)).toEqual({
      accepted: true,
      unchecked: [],
    });
  });

  it("does not take a check that did not run for an unknown reason for green", () => {
    expect(decideGate(verdict(["passed"], ["not_run", "surprise"]), settings)).toMatchObject({ accepted: false });
    expect(decideGate(verdict(["passed"], ["not_run"]), settings)).toMatchObject({ accepted: false });
  });

  it("does not ask a book for tests", () => {
    expect(decideGate(verdict(["failed"], ["failed"]), { testsSeen: true, syntax: false, tests: false })).toMatchObject(
      {
        accepted: true,
      },
    );
  });

  it("blocks on the pack's own check", () => {
    const command = { status: "failed" as const, exitCode: 1, stdout: "", stderr: "" };
    expect(decideGate({ ...verdict(["passed"], ["passed"]), command }, settings)).toEqual({
      accepted: false,
      blocking: ["command"],
    });
  });
});

describe("whether a tree has tests", () => {
  it("is told by what ran, also where all of it was skipped", () => {
    const base = verdict(["passed"], ["passed"]);
    expect(hasTests({ ...base, tests: { ...base.tests, status: "not_run", skipped: 2 } })).toBe(true);
    expect(hasTests(verdict(["passed"], ["not_found"]))).toBe(false);
  });
});
