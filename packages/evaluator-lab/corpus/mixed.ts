/** Projects of several languages, of none, and of those that nothing here can check. */
import { healthy, lines, type Project } from "./project.ts";

const pythonTest = lines(
  "import unittest",
  "",
  "",
  "class T(unittest.TestCase):",
  "    def test_a(self):",
  "        self.assertTrue(True)",
);
const nodeTest = 'require("node:test")("works", () => {});\n';
const nothing: Project["label"] = { syntax: "not_run: nothing_to_check", tests: "not_run: nothing_to_check" };
const parsed: Project["label"] = { ...nothing, syntax: "passed" };
const noTools: Project["label"] = { syntax: "not_run: no_toolchain", tests: "not_run: no_toolchain" };

export const mixedProjects: Project[] = [
  {
    name: "mixed: Python and JavaScript, both healthy",
    kind: "mixed",
    needs: "python",
    files: { "test_a.py": pythonTest, "web/a.test.js": nodeTest },
    label: healthy(2),
  },
  {
    name: "mixed: only JavaScript has tests",
    kind: "mixed",
    needs: "python",
    files: { "a.py": "x = 1\n", "a.test.js": nodeTest },
    label: healthy(1),
  },
  {
    name: "mixed: Python is broken",
    kind: "mixed",
    needs: "python",
    files: { "a.py": "x = = 1\n", "a.test.js": nodeTest },
    label: { syntax: "failed", tests: "passed", counts: [1, 0, 0, 0], findings: ["a.py:1 syntax"] },
  },
  {
    name: "mixed: both are broken",
    kind: "mixed",
    needs: "python",
    files: { "a.py": "x = = 1\n", "b.js": "let = ;\n" },
    label: { syntax: "failed", tests: "not_found", findings: ["a.py:1 syntax", "b.js:1 syntax"] },
  },
  {
    name: "mixed: JavaScript fails",
    kind: "mixed",
    needs: "python",
    files: {
      "test_a.py": pythonTest,
      "a.test.js": 'require("node:test")("fails", () => { throw new Error("no"); });\n',
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 1, 0, 0] },
  },
  {
    name: "mixed: Python hangs",
    kind: "mixed",
    needs: "python",
    timeoutMs: 4_000,
    files: { "test_a.py": lines("import time", "time.sleep(600)"), "a.test.js": nodeTest },
    label: { syntax: "passed", tests: "timed_out" },
  },
  {
    name: "mixed: one language that nothing here can check",
    kind: "mixed",
    files: { "a.test.js": nodeTest, "main.rs": "fn main() {}\n" },
    label: { syntax: "not_run: no_toolchain", tests: "not_run: no_toolchain", counts: [1, 0, 0, 0] },
  },
  {
    name: "mixed: a web page with a script and a style",
    kind: "mixed",
    files: {
      "index.html": '<!doctype html>\n<script src="a.js"></script>\n',
      "a.css": "p { color: red; }\n",
      "a.js": "document.title = 'a';\n",
    },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "json: settings alone",
    kind: "json",
    files: { "a.json": '{ "a": 1 }\n', "b/c.json": "[]\n" },
    label: parsed,
  },
  {
    name: "json: beside a program",
    kind: "json",
    files: { "a.json": "{}\n", "main.js": 'console.log(require("./a.json"));\n' },
    label: { syntax: "passed", tests: "not_found" },
  },
  { name: "none: an empty tree", kind: "none", files: {}, label: nothing },
  {
    name: "none: a readme that shows code",
    kind: "none",
    files: { "README.md": "# A\n\n```py\ndef f(:\n# your code here\n```\n" },
    label: nothing,
  },
  {
    name: "none: a book",
    kind: "none",
    files: { "chapters/01.md": "# One\n\nIt was a dark night…\n", "notes.txt": "rest unchanged\n" },
    label: nothing,
  },
  { name: "none: only a style", kind: "none", files: { "a.css": "p { color: red; }\n" }, label: parsed },
  { name: "other: Rust", kind: "other", files: { "src/main.rs": "fn main() {}\n" }, label: noTools },
  {
    name: "other: Kotlin",
    kind: "other",
    files: { "A.kt": 'class A {\n  fun remove() {\n    throw UnsupportedOperationException("read only")\n  }\n}\n' },
    label: noTools,
  },
];
