import { afterAll, describe, expect, it } from "vitest";
import { withEnoughTime } from "../doubles/enough-time.ts";
import { evaluation, type Files, pythonCan, removeFolders } from "../doubles/evaluation.ts";

afterAll(removeFolders);

const noPytest = !pythonCan("import pytest");

const testsOf = async (files: Files, more: { timeoutMs?: number; paths?: string[] } = {}) => {
  const { paths, ...limits } = more;
  return (await evaluation(files, { tests: paths ? { paths } : {}, ...limits })).tests;
};

describe.skipIf(noPytest)("the tests of Python (needs pytest)", () => {
  it("pass case by case", async () => {
    const files = {
      "calc.py": "def add(a, b): return a + b\n",
      "tests/test_calc.py": "from calc import add\ndef test_add(): assert add(1, 2) == 3\n",
    };
    expect(await testsOf(files)).toMatchObject({
      status: "passed",
      runner: "pytest",
      passed: 1,
      cases: [{ name: "tests/test_calc.py::test_add", status: "passed" }],
    });
  });

  it("find a project that keeps its code in src", async () => {
    const files = {
      "src/calc/__init__.py": "one = 1\n",
      "tests/test_calc.py": "from calc import one\ndef test_one(): assert one\n",
    };
    expect((await testsOf(files)).status).toBe("passed");
  });

  it("that fail, err or are skipped are counted separately", async () => {
    const file = [
      "import pytest",
      "@pytest.fixture\ndef broken(): raise ValueError('no fixture')",
      "def test_fails(): assert 1 == 2, 'unequal'",
      "def test_errs(broken): pass",
      "@pytest.mark.skip\ndef test_skipped(): pass",
      "@pytest.mark.xfail\ndef test_expected(): assert False",
    ].join("\n");
    const verdict = await testsOf({ "test_a.py": file });
    expect(verdict).toMatchObject({ status: "failed", failed: 1, errors: 1, skipped: 2 });
    expect(verdict.cases).toContainEqual(
      expect.objectContaining({
        name: "test_a.py::test_fails",
        status: "failed",
        message: expect.stringContaining("unequal"),
      }),
    );
  });

  it("are found in a file called tests.py, beside others", async () => {
    const files = { "app/tests.py": "def test_a(): pass\n", "test_b.py": "def test_b(): pass\n" };
    expect(await testsOf(files)).toMatchObject({ status: "passed", passed: 2 });
  });

  it("that do not end are stopped, and named", async () => {
    const file = "import time\ndef test_one(): pass\ndef test_hangs(): time.sleep(600)\n";
    const tests = await withEnoughTime(
      3_000,
      (timeoutMs) => testsOf({ "test_a.py": file }, { timeoutMs }),
      ({ detail = "" }) => detail.includes("test_hangs"),
    );
    expect(tests).toMatchObject({
      status: "timed_out",
      passed: 1,
      detail: "still running: test_a.py::test_hangs",
    });
  });

  it.each<[string, string]>([
    ["os._exit(0)", "import os"],
    ["os.kill(os.getpid(), 11)", "import os"],
    ["os.abort()", "import os"],
  ])("that end with %s midway have crashed, and are named", async (end, imports) => {
    const verdict = await testsOf({ "test_a.py": `${imports}\ndef test_one(): pass\ndef test_two(): ${end}\n` });
    expect(verdict).toMatchObject({ status: "crashed", passed: 1, detail: expect.stringContaining("test_two") });
  });

  it("that leave with sys.exit(0) never pass", async () => {
    expect((await testsOf({ "test_a.py": "import sys\ndef test_one(): sys.exit(0)\n" })).status).toBe("failed");
    expect((await testsOf({ "test_a.py": "import sys\ndef test_one(): pass\nsys.exit(0)\n" })).status).toBe("failed");
  });

  it("in a file that cannot be loaded are an error, and the others still run", async () => {
    const files = { "test_a.py": "def broken(:\n", "test_b.py": "def test_b(): pass\n" };
    expect(await testsOf(files)).toMatchObject({ status: "failed", errors: 1, passed: 1 });
  });

  it.each<[string, Files]>([
    ["code alone", { "a.py": "" }],
    ["an empty test file", { "test_a.py": "" }],
    ["settings without tests", { "a.py": "", "pyproject.toml": "[project]\nname = 'a'\n" }],
  ])("are not found in %s", async (_, files) => {
    expect(await testsOf(files)).toMatchObject({ status: "not_found", passed: 0 });
  });

  it("can be limited to some files", async () => {
    const files = { "test_a.py": "def test_a(): pass\n", "test_b.py": "def test_b(): assert False\n" };
    expect(await testsOf(files, { paths: ["test_a.py"] })).toMatchObject({ status: "passed", passed: 1 });
  });

  it("could not run where a declared package is not there, also under another name", async () => {
    const files = {
      "requirements.txt": "PyYAML-nope\nno_such_package==1\n",
      "test_a.py": "import no_such_package.x\n",
    };
    const { tests, missingPackages } = await evaluation(files, { tests: {} });
    expect(tests).toMatchObject({ status: "not_run", reason: "package_missing", errors: 1 });
    expect(tests.output).toContain("package no_such_package is not available here");
    expect(missingPackages).toEqual(["no_such_package"]);
  });

  it("have failed where the missing module is one that the project forgot to write", async () => {
    const verdict = await testsOf({ "test_a.py": "import forgotten_module\n" });
    expect(verdict).toMatchObject({ status: "failed", errors: 1 });
    expect(verdict.output).toContain("package forgotten_module is not available here: the project does not declare it");
  });

  it("are not confused by modules called like what every object has", async () => {
    expect((await testsOf({ "test_a.py": "import constructor\n" })).status).toBe("failed");
  });

  it("could not run where their settings ask for a plugin that is not there", async () => {
    const files = {
      "pytest.ini": "[pytest]\naddopts = --cov-nothing\n",
      "requirements.txt": "pytest-cov\n",
      "test_a.py": "def test_a(): pass\n",
    };
    expect(await testsOf(files)).toMatchObject({ status: "not_run", reason: "package_missing" });
  });

  it("whose shared settings import what is not there say which", async () => {
    const files = {
      "requirements.txt": "no_such_package\n",
      "conftest.py": "import no_such_package\n",
      "test_a.py": "def test_a(): pass\n",
    };
    expect(await testsOf(files)).toMatchObject({ status: "not_run", reason: "package_missing" });
  });
});
