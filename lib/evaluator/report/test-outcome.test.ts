import { describe, expect, it } from "vitest";
import type { CommandResult } from "../process/run-command.ts";
import type { Report } from "./read-report.ts";
import { type TestRun, testOutcome } from "./test-outcome.ts";

const ended: CommandResult = {
  status: "exited",
  exitCode: 0,
  stdout: "",
  stderr: "",
  truncated: false,
  milliseconds: 1,
};
const blank: Report = { cases: [], running: [], unseen: [], truncated: false };
const one: Report = { ...blank, cases: [{ name: "one", status: "passed" }], end: 0 };
const missing = (name: string): Report["cases"][number] => ({ name, status: "error", missing: name });

const outcome = (report: Report, result: Partial<CommandResult> = {}, more: Partial<TestRun> = {}) =>
  testOutcome({
    runner: "pytest",
    result: { ...ended, ...result },
    report,
    reports: true,
    unavailablePackages: (name) => name === "flask",
    ...more,
  });

describe("a test run", () => {
  it("has passed when it came to its end, nothing failed and something passed", () => {
    expect(outcome(one)).toMatchObject({ status: "passed", passed: 1, runner: "pytest" });
  });

  it("has crashed when its report was tampered with, however good it looks", () => {
    expect(outcome({ ...one, tampered: "line 2 is missing" })).toMatchObject({
      status: "crashed",
      reason: "tampered",
      detail: "line 2 is missing",
    });
    expect(outcome({ ...one, tampered: "x" }, { status: "timed_out" })).toMatchObject({ status: "timed_out" });
  });

  it("says which tests the project's settings leave out", () => {
    expect(outcome({ ...one, left: ["1 of 2 tests"] })).toMatchObject({
      status: "passed",
      truncated: ["1 of 2 tests"],
    });
  });

  it("has failed when a case failed, whatever its exit code says", () => {
    const report: Report = { ...one, cases: [...one.cases, { name: "two", status: "failed", message: "no" }] };
    expect(outcome(report, { exitCode: 0 })).toMatchObject({ status: "failed", passed: 1, failed: 1 });
  });

  it("has failed when no case failed and it ended with an error", () => {
    expect(outcome(one, { exitCode: 1 })).toMatchObject({ status: "failed", detail: expect.stringContaining("1") });
  });

  it("has crashed when it ended without a report, however well it ended", () => {
    expect(outcome(blank).status).toBe("crashed");
    const { end: _, ...cut } = one;
    expect(outcome({ ...cut, running: ["two"] })).toMatchObject({
      status: "crashed",
      detail: expect.stringContaining("two"),
    });
  });

  it("has crashed when a signal ended it", () => {
    expect(outcome(one, { status: "crashed", exitCode: null, signal: "SIGSEGV" })).toMatchObject({
      status: "crashed",
      detail: expect.stringContaining("SIGSEGV"),
    });
  });

  it("that needs a display has not failed, unless something else does", () => {
    const tk = "_tkinter.TclError: no display name and no $DISPLAY environment variable";
    const window = { name: "two", status: "error" as const, message: tk };
    const lacking = { status: "not_run", reason: "no_toolchain", detail: expect.stringContaining("a display") };
    expect(outcome({ ...one, cases: [...one.cases, window] }, { exitCode: 1 })).toMatchObject(lacking);
    const other = { name: "three", status: "failed" as const, message: "no" };
    expect(outcome({ ...one, cases: [window, other] }, { exitCode: 1 }).status).toBe("failed");
    const aborted = { status: "crashed" as const, exitCode: null, signal: "SIGABRT" };
    const qt = "qt.qpa.xcb: could not connect to display\n";
    expect(outcome(blank, { ...aborted, stderr: qt })).toMatchObject(lacking);
    expect(outcome({ ...blank, tampered: "x" }, { ...aborted, stderr: qt }).status).toBe("crashed");
    expect(outcome({ ...blank, cases: [other] }, { ...aborted, stderr: qt }).status).toBe("crashed");
  });

  it("that ran out of time names what was running", () => {
    expect(outcome({ ...blank, running: ["slow"] }, { status: "timed_out", exitCode: null })).toMatchObject({
      status: "timed_out",
      detail: "still running: slow",
    });
  });

  it("that ran out of time while its tests passed one after the other is no failure, and says what helps", () => {
    const cases = [1, 2, 3].map((at) => ({ name: `${at}`, status: "passed" as const, seconds: 30 }));
    const late = { status: "timed_out" as const, exitCode: null, milliseconds: 120_000 };
    expect(outcome({ ...blank, cases, running: ["4"] }, late)).toMatchObject({
      status: "not_run",
      reason: "out_of_time",
      detail: "3 tests had ended; --check-minutes allows more time",
    });
    const hanging = { ...late, milliseconds: 600_000 };
    expect(outcome({ ...blank, cases, running: ["4"] }, hanging)).toMatchObject({
      status: "timed_out",
      detail: "still running: 4",
    });
    expect(outcome({ ...blank, cases, tampered: "x" }, late).status).toBe("timed_out");
    const failing = [...cases, { name: "5", status: "failed" as const }];
    expect(outcome({ ...blank, cases: failing }, late).status).toBe("timed_out");
    expect(outcome(blank, late).detail).toBe("which test did not end is not known; --check-minutes allows more time");
  });

  it("that ran out of time and reports no cases is neither slow nor hanging for certain", () => {
    const late = { status: "timed_out" as const, exitCode: null };
    expect(outcome(blank, late, { reports: false })).toMatchObject({
      status: "not_run",
      reason: "out_of_time",
      detail: "it had not ended and reports no cases; --check-minutes allows more time",
    });
    const failing = { ...blank, cases: [{ name: "1", status: "failed" as const }] };
    expect(outcome(failing, late, { reports: false }).status).toBe("timed_out");
    expect(outcome({ ...blank, tampered: "x" }, late, { reports: false }).status).toBe("timed_out");
  });

  it.each([0, 5])("that found nothing and ended with %i found no tests", (end) => {
    expect(outcome({ ...blank, end }, { exitCode: end }).status).toBe("not_found");
  });

  it("that broke inside before it found anything is no lack of tests", () => {
    expect(outcome({ ...blank, end: 3 }, { exitCode: 3 }).status).toBe("failed");
  });

  it("with every test skipped has not passed", () => {
    const report: Report = { ...blank, cases: [{ name: "one", status: "skipped" }], end: 0 };
    expect(outcome(report)).toMatchObject({ status: "not_found", skipped: 1 });
  });

  it("could not run where only packages were missing that could not be had", () => {
    expect(outcome({ ...one, cases: [...one.cases, missing("flask")], end: 1 }, { exitCode: 1 })).toMatchObject({
      status: "not_run",
      reason: "package_missing",
      missingPackages: ["flask"],
      output: expect.stringContaining("package flask is not available here"),
    });
  });

  it("has failed if the project itself is at fault for one missing package", () => {
    const report: Report = { ...blank, cases: [missing("flask"), missing("calc")], end: 1 };
    expect(outcome(report, { exitCode: 1 })).toMatchObject({
      status: "failed",
      missingPackages: ["flask", "calc"],
      output: expect.stringContaining("package calc is not available here: the project does not declare it"),
    });
  });

  it("that left tests out which need another runner has not passed", () => {
    const report: Report = { ...one, unseen: [{ name: "test_a.py", needs: "pytest" }] };
    expect(outcome(report)).toMatchObject({ status: "not_run", reason: "no_toolchain", passed: 1 });
  });

  it("without reports of its own counts by its exit code", () => {
    const report: Report = { ...blank, cases: [{ name: "npm test", status: "passed" }] };
    expect(outcome(report, {}, { reports: false }).status).toBe("passed");
    const failing: Report = { ...blank, cases: [{ name: "npm test", status: "failed" }] };
    expect(outcome(failing, { exitCode: 1 }, { reports: false }).status).toBe("failed");
  });

  it("whose runner is not there could not run", () => {
    expect(outcome(blank, { status: "not_found", exitCode: null })).toMatchObject({
      status: "not_run",
      reason: "no_toolchain",
    });
  });

  it("lists failing cases first when there are too many, and says what it left out", () => {
    const cases = Array.from({ length: 600 }, (_, at): Report["cases"][number] => ({
      name: `t${at}`,
      status: "passed",
    }));
    const found = outcome({ ...blank, cases: [...cases, { name: "bad", status: "failed" }], end: 1 }, { exitCode: 1 });
    expect(found.cases).toHaveLength(500);
    expect(found.cases[0]?.name).toBe("bad");
    expect(found).toMatchObject({ passed: 600, failed: 1, truncated: ["101 of 601 test cases"] });
  });
});
