import { describe, expect, it } from "vitest";
import { givenCount, givenToLeaveOut, givenUnseen, holdsTests } from "./given-tests.ts";
import { notRun, type TestCase, type Verdict } from "./verdict.ts";

function verdict(names: [string, TestCase["status"]][], over: Partial<Verdict["tests"]> = {}): Verdict {
  const none = notRun("nothing_to_check");
  const count = (status: TestCase["status"]) => names.filter(([, each]) => each === status).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
  };
  const cases = names.map(([name, status]) => ({ name, status }));
  return { ...none, tests: { ...none.tests, status: "failed", ...counts, cases, ...over } };
}

describe("given tests", () => {
  const given = ["tests/test_a.py", "test/b.test.js", "tests/helpers.py", "tests/data.json"];

  it("are distinguished from others by their cases, as each runner names them", () => {
    const found = verdict([
      ["tests/test_a.py::test_one", "passed"],
      ["tests/test_a.py::TestCase::test_two[x]", "failed"],
      ["tests/test_a.py", "error"],
      ["test/b.test.js > adds", "passed"],
      ["test/b.test.js", "failed"],
      ["tests.test_a.TestCase.test_three", "passed"],
      ["test_a.TestCase.test_four", "failed"],
      ["tests/test_a.pyx::test", "passed"],
      ["tests/test_ab.py::test", "passed"],
      ["test/b.test.jsx > adds", "passed"],
      ["more.tests.test_a.TestCase.test", "passed"],
    ]);
    expect(givenCount(found, given)).toEqual({ passed: 3, total: 7 });
  });

  it("are not counted where there are none, or where not all cases are known", () => {
    expect(givenCount(verdict([["tests/test_c.py::test", "passed"]]), given)).toBeUndefined();
    expect(givenCount(verdict([["tests/test_a.py::test", "passed"]], { passed: 2 }), given)).toBeUndefined();
  });

  it("are left out where runners find them, where they have cases, and where they need what is missing", () => {
    const found = verdict([["tests/helpers.py::test", "failed"]]);
    const errors = [{ path: "tests/data.json", message: "it is no JSON" }];
    expect(givenToLeaveOut(verdict([]), given)).toEqual(["tests/test_a.py", "test/b.test.js"]);
    expect(givenToLeaveOut({ ...found, syntax: { ...found.syntax, errors } }, given)).toEqual(given);
  });

  it("are unseen where a runner would find them and the verdict says nothing of them", () => {
    expect(givenUnseen(verdict([["tests/test_a.py::test_one", "skipped"]]), given)).toEqual(["test/b.test.js"]);
  });
});

describe("a given file holds tests", () => {
  it.each([
    ["test/a.test.js", 'import { test } from "node:test";\ntest("adds", () => {});\n'],
    ["test/a.test.js", 'export const MORE = 1;\ndescribe.each([1])("adds", () => { it("one", () => {}); });\n'],
    ["test/a.test.ts", "for (const each of [1, 2]) {\n  it(each, () => {});\n}\n"],
    ["test/a.test.js", 'import check from "node:test";\ncheck("adds", () => {});\n'],
    ["test/a.test.cjs", 'const tap = require("tap");\ntap.test("adds", () => {});\n'],
    ["test/a.test.js", 'import { test as check } from "node:test";\ncheck("adds", () => {});\n'],
    ["test/a.test.js", 'import assert from "node:assert";\nassert.equal(1, 1);\n'],
    ["tests/test_a.py", "def test_one():\n    assert True\n"],
    ["tests/test_a.py", "class A(unittest.TestCase):\n    async def test_one(self):\n        pass\n"],
    ["tests/test_a.py", "from shared import *\n"],
    ["tests/test_a.py", "class TestList(SharedTests):\n    kind = list\n"],
    ["a_test.go", "package a\n\nfunc TestA(t *testing.T) {}\n"],
    ["spec/a_spec.rb", "whatever that is\n"],
  ])("where it declares some: %s %j", (path, text) => {
    expect(holdsTests(path, text)).toBe(true);
  });

  it.each([
    ["test/helper.js", "export const close = (a, b) => { if (!/x/.test(a)) throw new Error(b); };\n"],
    ["test/helper.cjs", '// test("x", f)\nmodule.exports = { text: "it(1)" };\n'],
    ["test/both.js", 'import { test } from "node:test";\nexport function both(name, f) {\n  test(name, f);\n}\n'],
    ["test/clock.js", 'import { mock } from "node:test";\nexport const clock = () => mock.timers;\n'],
    ["test/setup.js", 'process.env.TZ = "UTC";\n'],
    ["tests/test_helpers.py", 'def close(a, b):\n    """def test_x():"""\n    return a == b  # def test_y\n'],
    ["tests/test_base.py", "class ServerTestCase(unittest.TestCase):\n    def setUp(self):\n        pass\n"],
    ["tests/test_empty.py", ""],
    ["helpers_test.go", "package a\n\nfunc close(t *testing.T) {}\n"],
  ])("and none where it only helps: %s %j", (path, text) => {
    expect(holdsTests(path, text)).toBe(false);
  });
});
