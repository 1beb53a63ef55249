import { afterAll, describe, expect, it } from "vitest";
import type { Seal } from "../../lib/evaluator/workspace.ts";
import { lines, type OutsideFile } from "../../packages/evaluator-lab/hostile/attack.ts";
import { forgeries } from "../../packages/evaluator-lab/hostile/forgeries.ts";
import { evaluation, pythonCan, removeFolders } from "../doubles/evaluation.ts";

afterAll(removeFolders);

const can = { python: pythonCan(""), pytest: pythonCan("import pytest") };
const nowhere = {} as OutsideFile;

describe.concurrent("a report that is forged", () => {
  for (const { name, needs, files, ask, honest } of forgeries)
    it.skipIf(needs !== undefined && !can[needs])(`never turns green: ${name}`, async () => {
      const { tests } = await evaluation(files(nowhere), { tests: ask.tests ? {} : {} });
      expect([tests.status, tests.detail, tests.output]).not.toEqual(["passed", tests.detail, tests.output]);
      expect(honest.tests).toContain(tests.status);
      // Nothing of ours broke at it.
      expect(tests.output).not.toMatch(/l2mac_\w+\.py", line|run-(?:pytest|unittest)\.py", line \d+, in (?!main)/);
    });
});

/** A Python without pytest, on every computer. */
const withoutPytest: Seal = {
  seal: ({ argv }) =>
    argv.at(-1)?.includes("find_spec('pytest')") ? { argv: [...argv.slice(0, -1), "raise SystemExit(1)"] } : { argv },
};

describe.concurrent("a report that is forged where there is no pytest", () => {
  for (const { name, needs, files, honest } of forgeries.filter(({ needs }) => needs === "python"))
    it.skipIf(needs && !can[needs])(`never turns green: ${name}`, async () => {
      const { tests } = await evaluation(files(nowhere), { tests: {} }, { seal: withoutPytest });
      expect([tests.runner, tests.status]).not.toEqual(["unittest", "passed"]);
      expect([tests.output, ...(honest.tests ?? [])]).toContain(tests.status);
    });
});

const NODE = [
  'import assert from "node:assert/strict";',
  'import { after, before, describe, it, mock, test } from "node:test";',
];

const honestNode: Record<string, { body: string[]; script?: string; status: string; counts: number[] }> = {
  "tests of every kind": {
    body: [
      'test("plain", () => assert.equal(1, 1));',
      'test("outer", async (context) => { await context.test("inner", () => assert.ok(true)); });',
      'test.skip("skipped", () => assert.fail());',
      'test.todo("failing, to be done", () => assert.fail());',
      'describe("group", () => { before(() => {}); after(() => {}); it("in it", async () => {}); describe("empty", () => {}); });',
      'test("prints", () => { const write = mock.method(process.stdout, "write", () => true); console.log("x"); write.mock.restore(); });',
      'test("leaves", () => { const exit = mock.method(process, "exit", () => {}); process.exit(1); exit.mock.restore(); });',
      'test("clock", (context) => { context.mock.timers.enable(); context.mock.timers.tick(10); });',
      'test("child", async () => { const { fork } = await import("node:child_process"); const { once } = await import("node:events"); const child = fork(new URL("child.mjs", import.meta.url)); assert.deepEqual(await once(child, "message"), ["hello", undefined]); });',
      'test("worker", async () => { const { Worker } = await import("node:worker_threads"); const { once } = await import("node:events"); assert.deepEqual(await once(new Worker("process.exit(0)", { eval: true }), "exit"), [0]); });',
    ],
    status: "passed",
    counts: [9, 0, 0, 2],
  },
  "listeners of the process that are removed before the tests": {
    body: ["process.removeAllListeners();", 'test("one", () => {});', 'test("two", () => {});'],
    status: "passed",
    counts: [2, 0, 0, 0],
  },
  "listeners of the process that are removed by a hook": {
    body: [
      'import { afterEach } from "node:test";',
      'afterEach(() => { for (const name of ["SIGINT", "exit", "beforeExit"]) process.removeAllListeners(name); });',
      'test("one", () => {});',
      'test("two", async () => { await new Promise((resolve) => setTimeout(resolve, 20)); });',
    ],
    status: "passed",
    counts: [2, 0, 0, 0],
  },
  "listeners of the process that are removed before a failure": {
    body: ["process.removeAllListeners();", 'test("right", () => {});', 'test("wrong", () => assert.fail());'],
    status: "failed",
    counts: [1, 1, 0, 0],
  },
  "a hook that fails": {
    body: ['describe("group", () => { before(() => { throw new Error("no"); }); it("in it", () => {}); });'],
    status: "failed",
    counts: [0, 2, 0, 0],
  },
  "a group that throws": {
    body: ['describe("group", () => { throw new Error("no"); });', 'test("right", () => {});'],
    status: "failed",
    counts: [1, 1, 0, 0],
  },
  "an error after the end": {
    body: ['test("right", () => { setTimeout(() => { throw new Error("late"); }, 20); });'],
    status: "failed",
    counts: [1, 0, 1, 0],
  },
  "a test that takes too long": {
    body: ['test("slow", { timeout: 20 }, () => new Promise((resolve) => setTimeout(resolve, 500)));'],
    status: "failed",
    counts: [0, 1, 0, 0],
  },
  "tests in the runner's own process": {
    body: ['test("right", () => {});'],
    script: "node --test --test-isolation=none",
    status: "passed",
    counts: [1, 0, 0, 0],
  },
  "tests that are chosen by name": {
    body: [
      'test("right", () => {});',
      'test("wrong", () => assert.fail());',
      'describe("group", () => { it("right, too", () => {}); it("wrong, too", () => assert.fail()); });',
    ],
    script: "node --test --test-name-pattern=right",
    status: "passed",
    counts: [2, 0, 0, 0],
  },
};

describe.concurrent("an honest suite of Node", () => {
  for (const [name, { body, script, status, counts }] of Object.entries(honestNode))
    it(`is reported as it is: ${name}`, async () => {
      const files = {
        "a.test.mjs": lines(...NODE, ...body),
        "child.mjs": 'process.send("hello");',
        ...(script ? { "package.json": JSON.stringify({ scripts: { test: script } }) } : {}),
      };
      const { tests } = await evaluation(files, { tests: {} });
      expect([tests.status, tests.reason, tests.cases, tests.output]).toEqual([
        status,
        undefined,
        tests.cases,
        tests.output,
      ]);
      expect([tests.passed, tests.failed, tests.errors, tests.skipped]).toEqual(counts);
    });
});

const honest: Record<string, { files: Record<string, string>; counts: number[]; truncated?: RegExp }> = {
  "shared settings with every usual hook": {
    files: {
      "conftest.py": lines(
        "import asyncio, inspect, os",
        "import pytest",
        "",
        "",
        "@pytest.fixture(autouse=True)",
        "def elsewhere(tmp_path, monkeypatch):",
        "    monkeypatch.chdir(tmp_path)",
        "    monkeypatch.setenv('A', '1')",
        "",
        "",
        "@pytest.hookimpl(hookwrapper=True, tryfirst=True)",
        "def pytest_runtest_makereport(item, call):",
        "    outcome = yield",
        "    setattr(item, 'report_' + outcome.get_result().when, outcome.get_result())",
        "",
        "",
        "def pytest_collection_modifyitems(config, items):",
        "    items.sort(key=lambda item: item.name, reverse=True)",
        "    for item in items:",
        "        if 'slow' in item.keywords:",
        "            item.add_marker(pytest.mark.skip(reason='slow'))",
        "",
        "",
        "@pytest.hookimpl(tryfirst=True)",
        "def pytest_pyfunc_call(pyfuncitem):",
        "    if inspect.iscoroutinefunction(pyfuncitem.obj):",
        "        asyncio.run(pyfuncitem.obj())",
        "        return True",
        "",
        "",
        "def pytest_runtest_setup(item):",
        "    item.started = True",
        "",
        "",
        "def pytest_sessionfinish(session, exitstatus):",
        "    print('done', exitstatus)",
      ),
      "pytest.ini": "[pytest]\nmarkers = slow: takes long\n",
      "test_a.py": lines(
        "import os, sys, builtins",
        "from unittest import mock",
        "import pytest",
        "",
        "",
        "@pytest.mark.slow",
        "def test_slow():",
        "    assert False",
        "",
        "",
        "async def test_async():",
        "    assert os.environ['A'] == '1'",
        "",
        "",
        "@pytest.mark.parametrize('value', [1, 2])",
        "def test_many(value, request):",
        "    assert request.function.__name__ == 'test_many'",
        "    assert value",
        "",
        "",
        "class TestClass:",
        "    def test_method(self, capsys):",
        "        with mock.patch.object(builtins, 'input', return_value='x'):",
        "            assert input() == 'x'",
        "",
        "",
        "@pytest.mark.xfail",
        "def test_expected():",
        "    assert False",
        "",
        "",
        "def test_skips():",
        "    pytest.skip('today')",
        "",
        "",
        "def test_stdin():",
        "    assert os.read(0, 10) == b''",
        "",
        "",
        "def test_exit():",
        "    with pytest.raises(SystemExit):",
        "        sys.exit(0)",
        "",
        "",
        "def test_fork():",
        "    child = os.fork()",
        "    if child == 0:",
        "        os._exit(3)",
        "    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3",
      ),
    },
    counts: [7, 0, 0, 3],
  },
  "every kind of unittest's tests": {
    files: {
      "src/app/__init__.py": "VALUE = 1\n",
      "src/app/__main__.py": "print('hello')\n",
      "tests/test_a.py": lines(
        "import multiprocessing, subprocess, sys, unittest",
        "from app import VALUE",
        "",
        "",
        "class A(unittest.TestCase):",
        "    @classmethod",
        "    def setUpClass(cls):",
        "        cls.value = 1",
        "",
        "    def setUp(self):",
        "        self.addCleanup(print, 'x')",
        "",
        "    @unittest.expectedFailure",
        "    def test_expected(self):",
        "        self.assertEqual(1, 2)",
        "",
        "    @unittest.skip('today')",
        "    def test_skipped(self):",
        "        self.fail()",
        "",
        "    def test_program(self):",
        "        said = subprocess.run([sys.executable, '-m', 'app'], capture_output=True, text=True)",
        "        self.assertEqual(said.stdout, 'hello\\n')",
        "",
        "    def test_spawn(self):",
        "        with multiprocessing.get_context('spawn').Pool(1) as pool:",
        "            self.assertEqual(pool.map(abs, [-1]), [1])",
        "",
        "",
        "class B(unittest.IsolatedAsyncioTestCase):",
        "    async def test_async(self):",
        "        self.assertTrue(VALUE)",
      ),
    },
    counts: [3, 0, 0, 2],
  },
  "settings that choose among tests, which is said": {
    files: {
      "pytest.ini": "[pytest]\nmarkers = slow: takes long\naddopts = -m 'not slow'\ntestpaths = tests\n",
      "tests/test_a.py": lines(
        "import pytest",
        "",
        "",
        "@pytest.mark.slow",
        "def test_slow():",
        "    assert False",
        "",
        "",
        "def test_fast():",
        "    pass",
      ),
      "other/test_b.py": "def test_b():\n    assert False\n",
    },
    counts: [1, 0, 0, 0],
    truncated: /1 of 2 tests.*deselect\n.*other\/test_b\.py/,
  },
};

describe.concurrent("an honest suite", () => {
  for (const [name, { files, counts, truncated }] of Object.entries(honest))
    it.skipIf(!can.pytest)(`is reported as it is: ${name}`, async () => {
      const { tests, truncated: cut } = await evaluation(files, { tests: {} });
      expect([tests.status, tests.detail, tests.output]).toEqual(["passed", undefined, tests.output]);
      expect([tests.passed, tests.failed, tests.errors, tests.skipped]).toEqual(counts);
      if (truncated) expect(cut.join("\n")).toMatch(truncated);
      else expect(cut).toEqual([]);
    });
});
