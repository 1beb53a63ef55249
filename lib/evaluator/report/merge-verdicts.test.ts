import { describe, expect, it } from "vitest";
import { noTests, type SyntaxResult, type TestsResult } from "../language.ts";
import { mergeSyntax, mergeTests } from "./merge-verdicts.ts";

const tests = (found: Partial<TestsResult>): TestsResult => ({ ...noTests, ...found });
const passed = tests({ status: "passed", passed: 2, runner: "pytest" });
const failed = tests({ status: "failed", passed: 1, failed: 1, runner: "node --test" });
const noToolchain = tests({ status: "not_run", reason: "no_toolchain", detail: "go is not available here" });
const nothing = tests({ status: "not_run", reason: "nothing_to_check" });

describe("verdicts of several languages", () => {
  it("give nothing to check if no language applies", () => {
    expect(mergeSyntax([])).toEqual({ status: "not_run", reason: "nothing_to_check", errors: [] });
    expect(mergeTests([])).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it("stay as they are where there is only one", () => {
    expect(mergeTests([passed])).toEqual(passed);
  });

  it.each<[string, TestsResult[], Partial<TestsResult>]>([
    ["a failure hides a pass", [passed, failed], { status: "failed", passed: 3, failed: 1 }],
    ["a failure is worse than a language that could not be run", [noToolchain, failed], { status: "failed" }],
    [
      "what could not be run hides a pass, and keeps its counts",
      [passed, noToolchain],
      { status: "not_run", reason: "no_toolchain", passed: 2 },
    ],
    ["tests of one language are the tests of the tree", [noTests, passed], { status: "passed", passed: 2 }],
    ["code without tests weighs more than no code", [nothing, noTests], { status: "not_found" }],
    ["nothing to check hides nothing", [nothing, passed], { status: "passed" }],
    ["a time-out is worse than a failure", [failed, tests({ status: "timed_out" })], { status: "timed_out" }],
    ["a crash is the worst", [tests({ status: "timed_out" }), tests({ status: "crashed" })], { status: "crashed" }],
    [
      "a missing package hides a pass",
      [passed, tests({ status: "not_run", reason: "package_missing" })],
      { status: "not_run", reason: "package_missing" },
    ],
  ])("%s, in any order", (_, found, expected) => {
    expect(mergeTests(found)).toMatchObject(expected);
    expect(mergeTests(found.toReversed())).toMatchObject(expected);
  });

  it("name every runner, keep every case and each missing package once", () => {
    const missing = ["flask"];
    const merged = mergeTests([
      { ...passed, missingPackages: missing },
      { ...failed, missingPackages: missing },
    ]);
    expect(merged).toMatchObject({ runner: "pytest, node --test", missingPackages: ["flask"] });
  });

  it("keep all warnings, and say nothing of them where there are none", () => {
    const warned: SyntaxResult = { status: "passed", errors: [], warnings: [{ path: "a.sh", message: "x" }] };
    const fine: SyntaxResult = { status: "passed", errors: [] };
    expect(mergeSyntax([warned, fine, warned])).toMatchObject({ status: "passed", warnings: [{}, {}] });
    expect(mergeSyntax([fine])).not.toHaveProperty("warnings");
  });

  it("keep all findings, and a pass beside nothing to check", () => {
    const wrong: SyntaxResult = { status: "failed", errors: [{ path: "a.py", message: "x" }] };
    const fine: SyntaxResult = { status: "passed", errors: [] };
    expect(mergeSyntax([fine, wrong])).toMatchObject({ status: "failed", errors: [{ path: "a.py" }] });
    expect(mergeSyntax([{ status: "not_run", reason: "nothing_to_check", errors: [] }, fine]).status).toBe("passed");
  });
});
