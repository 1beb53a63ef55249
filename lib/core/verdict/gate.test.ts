import { describe, expect, it } from "vitest";
import { decideGate, hasTests, NO_TIME_LEFT } from "./gate.ts";
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

  it("leaves open the tests that passed until our own limit stopped them", () => {
    const none = notRun("nothing_to_check");
    const late = { status: "not_run", reason: "out_of_time", detail: "--check-minutes allows more time" } as const;
    for (const testsSeen of [false, true])
      expect(decideGate({ ...none, tests: { ...none.tests, ...late } }, { ...settings, testsSeen })).toEqual({
        accepted: true,
        unchecked: ["tests: out_of_time (--check-minutes allows more time)"],
      });
  });

  it.each(["failed", "crashed"] as const)("blocks a syntax check that %s", (status) => {
    expect(decideGate(verdict([status], ["passed"]), settings)).toEqual({ accepted: false, blocking: ["syntax"] });
  });

  it.each(["no_toolchain", "package_missing"])(
    "accepts as unchecked, never as green, what did not run because of %s",
    (reason) => {
      const decision = decideGate(verdict(["passed"], ["not_run", reason]), settings);
      expect(decision).toEqual({ accepted: true, unchecked: [expect.stringContaining(reason)] });
    },
  );

  it("does not block on a syntax check that our own limit stopped, and asks again where only the turn was short", () => {
    const stopped = verdict(["timed_out"], ["passed"]);
    expect(decideGate(stopped, settings)).toEqual({
      accepted: true,
      unchecked: [expect.stringContaining("--check-minutes")],
    });
    const late = verdict(["timed_out", NO_TIME_LEFT], ["passed"]);
    expect(decideGate(late, settings)).toEqual({ accepted: false, blocking: ["syntax"] });
  });

  it.each(["package_missing", "no_toolchain", "nothing_to_check"])(
    "blocks tests that ran before and cannot run now because of %s, until that was insisted on",
    (reason) => {
      const seen = { ...settings, testsSeen: true };
      const gone = verdict(["passed"], ["not_run", reason]);
      expect(decideGate(gone, seen, { passedBefore: 40 })).toEqual({ accepted: false, blocking: ["tests"] });
      expect(decideGate(gone, seen, { conceded: new Set(["tests"]) })).toEqual({
        accepted: true,
        unchecked: [expect.stringMatching(`^tests: ran before, .*${reason}`)],
      });
    },
  );

  it("blocks syntax that was checked before and cannot be now, until that was insisted on", () => {
    const seen = { ...settings, syntaxSeen: true };
    const gone = verdict(["not_run", "package_missing"], ["passed"]);
    expect(decideGate(gone, seen)).toEqual({ accepted: false, blocking: ["syntax"] });
    expect(decideGate(gone, settings)).toMatchObject({ accepted: true });
    expect(decideGate(gone, seen, { conceded: new Set(["syntax"]) })).toMatchObject({
      unchecked: [expect.stringContaining("syntax: ran before")],
    });
  });

  it("blocks an instruction that changed nothing", () => {
    const green = verdict(["passed"], ["passed"]);
    expect(decideGate(green, settings, { unchanged: true })).toEqual({ accepted: false, blocking: ["changes"] });
  });

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
  it("is known by what ran, also where all of it was skipped", () => {
    const base = verdict(["passed"], ["passed"]);
    expect(hasTests({ ...base, tests: { ...base.tests, status: "not_run", skipped: 2 } })).toBe(true);
    expect(hasTests(verdict(["passed"], ["not_found"]))).toBe(false);
  });
});

describe("the gate and the tests that stood before", () => {
  const green = verdict(["passed"], ["passed"]);
  const passing = (passed: number): Verdict => ({ ...green, tests: { ...green.tests, passed } });

  it("blocks what weakens a locked test, and given tests that are broken, however green it all is", () => {
    expect(decideGate(green, settings, { weakened: true })).toEqual({ accepted: false, blocking: ["locked tests"] });
    expect(decideGate(green, settings, { givenBroken: true })).toEqual({ accepted: false, blocking: ["given tests"] });
    const red = verdict(["failed"], ["failed"]);
    expect(decideGate(red, settings, { weakened: true })).toEqual({
      accepted: false,
      blocking: ["syntax", "tests", "locked tests"],
    });
  });

  it("blocks a green run in which fewer tests pass than before, and nothing else of the kind", () => {
    expect(decideGate(passing(4), settings, { passedBefore: 5 })).toEqual({ accepted: false, blocking: ["tests"] });
    for (const before of [5, 4, undefined])
      expect(decideGate(passing(5), settings, { passedBefore: before })).toMatchObject({ accepted: true });
    const unknown = verdict(["passed"], ["not_run", "no_toolchain"]);
    expect(decideGate(unknown, settings, { passedBefore: 5 })).toMatchObject({ accepted: true });
  });
});
