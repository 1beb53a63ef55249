/** Projects whose tests another runner than Node's runs, and names in Python that nothing defines. */
import { healthy, lines, type Project } from "./project.ts";

const script = (test: string): string => JSON.stringify({ type: "module", scripts: { test } });
const cases = (...bodies: string[]): string => lines('import { expect, it } from "vitest";', "", ...bodies);
const passing = 'it("adds", () => expect(1 + 1).toBe(2));';

export const runnerProjects: Project[] = [
  {
    name: "vitest: healthy",
    kind: "javascript",
    needs: "vitest",
    files: { "package.json": script("vitest"), "a.test.ts": cases(passing, 'it.todo("more");') },
    label: { syntax: "passed", tests: "passed", counts: [1, 0, 0, 1] },
  },
  {
    name: "vitest: by npx, with a setting before it and a reporter",
    kind: "javascript",
    needs: "vitest",
    files: { "package.json": script("NODE_ENV=test npx vitest run --reporter verbose"), "a.test.js": cases(passing) },
    label: healthy(1),
  },
  {
    name: "vitest: fails",
    kind: "javascript",
    needs: "vitest",
    files: {
      "package.json": script("vitest run"),
      "a.test.js": cases(passing, 'it("fails", () => expect(1).toBe(2));', 'it.skip("later", () => {});'),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 1, 0, 1] },
  },
  {
    name: "vitest: a file breaks before its tests",
    kind: "javascript",
    needs: "vitest",
    files: {
      "package.json": script("vitest run"),
      "a.test.js": cases('throw new Error("no");'),
      "b.test.js": cases(passing),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 0, 1, 0] },
  },
  {
    name: "vitest: a test leaves the process",
    kind: "javascript",
    needs: "vitest",
    files: { "package.json": script("vitest run"), "a.test.js": cases('it("leaves", () => process.exit(0));') },
    label: { syntax: "passed", tests: "failed", counts: [0, 1, 0, 0] },
  },
  {
    name: "vitest: an empty suite",
    kind: "javascript",
    needs: "vitest",
    files: { "package.json": script("vitest run --passWithNoTests"), "a.js": "" },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "vitest: hangs",
    kind: "javascript",
    needs: "vitest",
    timeoutMs: 6_000,
    files: { "package.json": script("vitest run"), "a.test.js": cases('it("hangs", () => { for (;;) {} });') },
    label: { syntax: "passed", tests: "not_run: out_of_time" },
  },
  {
    name: "vitest: after another command, by its exit code",
    kind: "javascript",
    needs: "vitest",
    files: { "package.json": script("node --version && vitest run"), "a.test.js": cases(passing) },
    label: healthy(1),
  },
  {
    name: "node: a file like a test that cannot fail",
    kind: "javascript",
    files: { "a.test.js": 'console.log("all is well");\n' },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "node: a file that asserts without the test runner",
    kind: "javascript",
    files: { "a.test.js": 'require("node:assert").equal(1 + 1, 2);\n' },
    label: healthy(1),
  },
  {
    name: "python: a name that nothing defines",
    kind: "python",
    needs: "pyflakes",
    files: { "a.py": lines("def total(prices):", "    return sum(price)") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.py:2 undefined-name"] },
  },
  {
    name: "python: a format that cannot work",
    kind: "python",
    needs: "pyflakes",
    files: { "a.py": lines("def shown(name):", '    return "%s is %d" % (name,)') },
    label: { syntax: "failed", tests: "not_found", findings: ["a.py:2 format"] },
  },
  {
    name: "python: names that come from elsewhere",
    kind: "python",
    needs: "pyflakes",
    files: {
      "a.py": lines(
        "from __future__ import annotations",
        "import builtins",
        "import sys",
        "from shapes import *",
        "",
        "builtins.tell = print",
        "try:",
        "    import fast",
        "except ImportError:",
        "    fast = None",
        "if sys.version_info < (3,):",
        "    text = unicode",
        "",
        "",
        "def area(shape: Unread) -> 'Unread':",
        "    return circle(shape)",
      ),
      "b.py": lines('__all__ = ["late"]', "", "", "def late():", "    tell(left)  # noqa: F821", "    return tell"),
      "shapes.py": lines("def circle(shape):", "    return shape"),
    },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "python: a test that another takes the place of",
    kind: "python",
    needs: "python",
    files: {
      "test_a.py": lines(
        "import unittest",
        "",
        "",
        "class T(unittest.TestCase):",
        "    def test_a(self):",
        "        self.assertEqual(1, 2)",
        "",
        "    def test_a(self):",
        "        self.assertEqual(1, 1)",
      ),
    },
    label: { syntax: "failed", tests: "passed", findings: ["test_a.py:5 shadowed"], counts: [1, 0, 0, 0] },
  },
];
