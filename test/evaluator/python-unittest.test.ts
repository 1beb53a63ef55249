import { afterAll, describe, expect, it } from "vitest";
import type { Seal } from "../../lib/evaluator/workspace.ts";
import { withEnoughTime } from "../doubles/enough-time.ts";
import { evaluation, type Files, noPython, removeFolders } from "../doubles/evaluation.ts";

afterAll(removeFolders);

/** A Python without pytest, on every computer. */
const withoutPytest: Seal = {
  seal: ({ argv }) =>
    argv.at(-1)?.includes("find_spec('pytest')") ? { argv: [...argv.slice(0, -1), "raise SystemExit(1)"] } : { argv },
};
const testsOf = async (files: Files, timeoutMs = 100_000) =>
  (await evaluation(files, { tests: {}, timeoutMs }, { seal: withoutPytest })).tests;

const suite = (...methods: string[]) =>
  [
    "import unittest, os, sys, time",
    "class T(unittest.TestCase):",
    ...methods.map((method) => `  def ${method}`),
    "",
  ].join("\n");

describe.skipIf(noPython)("without pytest (needs python3)", () => {
  it("unittest runs the tests, in folders with and without __init__", async () => {
    const files = {
      "calc.py": "one = 1\n",
      "tests/__init__.py": "",
      "tests/test_a.py": `from calc import one\n${suite("test_a(self): pass")}`,
      "more/test_b.py": suite("test_b(self): pass"),
    };
    expect(await testsOf(files)).toMatchObject({ status: "passed", runner: "unittest", passed: 2 });
  });

  it("failures, errors, skips and subtests are counted separately", async () => {
    const file = suite(
      "test_fails(self): self.fail('as planned')",
      "test_errs(self): 1 / 0",
      "test_skips(self): self.skipTest('no')",
      "test_parts(self):\n    with self.subTest(1): self.fail('part')",
    );
    const verdict = await testsOf({ "test_a.py": file });
    expect(verdict).toMatchObject({ status: "failed", failed: 2, errors: 1, skipped: 1 });
    expect(verdict.cases).toContainEqual(
      expect.objectContaining({ name: "test_a.T.test_fails", message: expect.stringContaining("as planned") }),
    );
  });

  it.each(["os._exit(0)", "os.abort()"])("a suite that ends with %s has crashed", async (end) => {
    expect(await testsOf({ "test_a.py": suite("test_a(self): pass", `test_b(self): ${end}`) })).toMatchObject({
      status: "crashed",
      passed: 1,
      detail: expect.stringContaining("test_a.T.test_b"),
    });
  });

  it("a suite that leaves with sys.exit(0) never passes", async () => {
    expect((await testsOf({ "test_a.py": suite("test_a(self): sys.exit(0)") })).status).not.toBe("passed");
    expect((await testsOf({ "test_a.py": "import sys\nsys.exit(0)\n" })).status).toBe("failed");
  });

  it("a suite that hangs is stopped", async () => {
    const files = { "test_a.py": suite("test_a(self): time.sleep(600)") };
    const tests = await withEnoughTime(
      2_500,
      (timeoutMs) => testsOf(files, timeoutMs),
      ({ detail = "" }) => detail.includes("test_a"),
    );
    expect(tests).toMatchObject({
      status: "timed_out",
      detail: "still running: test_a.T.test_a",
    });
  });

  it("tests that need pytest were not run, and are not passed over", async () => {
    const files = { "test_a.py": suite("test_a(self): pass"), "test_b.py": "def test_b(): assert False\n" };
    expect(await testsOf(files)).toMatchObject({
      status: "not_run",
      reason: "no_toolchain",
      passed: 1,
      detail: "pytest is not available here: test_b.py needs it",
    });
  });

  it("a declared package that is not there is named", async () => {
    const files = { "requirements.txt": "no_such_package\n", "test_a.py": "import no_such_package\n" };
    expect(await testsOf(files)).toMatchObject({ status: "not_run", reason: "package_missing", errors: 1 });
  });

  it("a file without tests has none", async () => {
    expect((await testsOf({ "test_a.py": "" })).status).toBe("not_found");
  });
});
