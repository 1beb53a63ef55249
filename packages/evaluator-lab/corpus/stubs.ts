/** Projects with stubs or with comments in place of code, and projects that only kept what they were given. */
import { type Label, lines, type Project } from "./project.ts";

const stub = (name: string, files: Record<string, string>, ...findings: string[]): Project => ({
  name: `stub: ${name}`,
  kind: kindOf(Object.keys(files)),
  ...needsOf(Object.keys(files)),
  files,
  label: labelOf(
    Object.keys(files),
    findings.map((workspace) => `${workspace} stub`),
  ),
});

/** Wording that may replace code is advice and no error. */
const advice = (name: string, files: Record<string, string>, ...places: string[]): Project => {
  const project = stub(name, files);
  // No TypeScript compiler is installed for JSX.
  const syntax = Object.keys(files).some((path) => path.endsWith(".jsx")) ? "not_run: no_toolchain" : "passed";
  return {
    ...project,
    label: { ...project.label, syntax, findings: [], warnings: places.map((one) => `${one} stub`) },
  };
};

function needsOf(paths: string[]): Pick<Project, "needs"> {
  if (paths.some((path) => path.endsWith(".py"))) return { needs: "python" };
  return paths.some((path) => path.endsWith(".go")) ? { needs: "go" } : {};
}

function kindOf(paths: string[]): Project["kind"] {
  if (paths.some((path) => path.endsWith(".py"))) return "python";
  if (paths.some((path) => /\.[cm]?tsx?$/.test(path))) return "typescript";
  return paths.some((path) => /\.[cm]?jsx?$/.test(path)) ? "javascript" : "other";
}

/** Stubs are reported where nothing else can be checked, too. */
function labelOf(paths: string[], findings: string[]): Label {
  if (kindOf(paths) !== "other") return { syntax: "failed", tests: "not_found", findings };
  // Both have tests of their own, and here are none.
  if (paths.some((path) => /\.(?:go|sh)$/.test(path))) return { syntax: "failed", tests: "not_found", findings };
  const unknown = paths.some((path) => /\.(?:rs|java)$/.test(path));
  return { syntax: "failed", tests: unknown ? "not_run: no_toolchain" : "not_run: nothing_to_check", findings };
}

const numbered = (count: number, line: (at: number) => string[]): string =>
  lines(...Array.from({ length: count }, (_, at) => line(at)).flat());
const pythonParts = (count: number): string =>
  numbered(count, (at) => [`def part_${at}(text):`, `    words = text.split()`, `    return words[${at}:]`, ""]);
const javascriptParts = (count: number): string =>
  numbered(count, (at) => [
    `exports.part${at} = part${at};`,
    `function part${at}(text) {`,
    `  return text.slice(${at});`,
    "}",
    "",
  ]);
const packed = "exports.pack = function (text) {};\n";

export const stubProjects: Project[] = [
  advice(
    "Python, existing code left out",
    {
      "store.py": lines(
        "class Store:",
        "    # ... existing code ...",
        "",
        "    def remove(self, key):",
        "        del self.items[key]",
      ),
    },
    "store.py:2",
  ),
  advice(
    "Python, the rest of the file unchanged",
    {
      "app.py": lines(
        "import sys",
        "",
        "",
        "def main():",
        "    print(sys.argv)",
        "",
        "",
        "# Rest of the file remains unchanged.",
      ),
    },
    "app.py:8",
  ),
  advice(
    "Python, other methods as before",
    {
      "app.py": lines(
        "class App:",
        "    def run(self):",
        "        return 1",
        "",
        "    # (other methods stay the same as before)",
      ),
    },
    "app.py:5",
  ),
  stub(
    "Python, a body that is only planned",
    {
      "rates.py": lines(
        "def convert(amount, rate):",
        '    """Convert an amount."""',
        "    # TODO: implement",
        "    pass",
      ),
    },
    "rates.py:1",
  ),
  stub(
    "Python, bodies that refuse",
    {
      "codec.py": lines(
        "def encode(text):",
        "    raise NotImplementedError",
        "",
        "",
        "def decode(data):",
        '    raise NotImplementedError("decode is not implemented yet")',
      ),
    },
    "codec.py:1",
    "codec.py:5",
  ),
  stub(
    "Python, an empty method of a class",
    {
      "bank.py": lines(
        "class Account:",
        "    def __init__(self):",
        "        self.balance = 0",
        "",
        "    def withdraw(self, amount: int) -> int:",
        "        pass",
      ),
    },
    "bank.py:5",
  ),
  stub(
    "Python, dots for a body",
    {
      "bank.py": lines(
        "def interest(balance: float, years: int) -> float:",
        '    """What the balance earns."""',
        "    ...",
      ),
    },
    "bank.py:1",
  ),
  advice(
    "Python, dots between statements",
    { "parse.py": lines("def parse(text):", "    tokens = text.split()", "    ...", "    return tokens") },
    "parse.py:3",
  ),
  stub(
    "Python, a body that only says what it should do",
    { "data.py": lines("def process(rows):", "    # Process the rows and return the sums", "    pass") },
    "data.py:1",
  ),
  stub(
    "Python, a promised value",
    { "score.py": lines("def score(answers):", "    # TODO: weigh the answers by difficulty", "    return 0") },
    "score.py:1",
  ),
  advice(
    "Python, your logic here",
    {
      "handler.py": lines(
        "def handle(event):",
        "    name = event['name']",
        "    # Add your processing logic here",
        "    return name",
      ),
    },
    "handler.py:3",
  ),
  stub(
    "Python, a placeholder that says so",
    { "mail.py": lines("def send(to, text):", "    # Placeholder implementation", "    return True") },
    "mail.py:1",
  ),
  advice(
    "Python, for brevity",
    { "table.py": lines("ROWS = [", "    (1, 'one'),", "    # remaining rows omitted for brevity", "]") },
    "table.py:3",
  ),
  stub(
    "Python, an abstract class filled with nothing",
    {
      "export.py": lines(
        "from abc import ABC, abstractmethod",
        "",
        "",
        "class Exporter(ABC):",
        "    @abstractmethod",
        "    def export(self, rows) -> str:",
        "        ...",
        "",
        "",
        "class CsvExporter(Exporter):",
        "    def export(self, rows) -> str:",
        "        raise NotImplementedError",
      ),
    },
    "export.py:11",
  ),
  stub(
    "Python, the program that only prints that it is not ready",
    { "main.py": lines("def main():", '    print("Not implemented yet")', "", "", "main()") },
    "main.py:1",
  ),
  stub(
    "Python, a coroutine",
    {
      "fetch.py": lines(
        "import asyncio",
        "",
        "",
        "async def fetch(url):",
        "    pass",
        "",
        "",
        "asyncio.run(fetch('a'))",
      ),
    },
    "fetch.py:4",
  ),
  {
    ...stub("Python, tests that test nothing", {
      "add.py": lines("def add(a, b):", "    return a + b"),
      "test_add.py": lines("def test_adds_numbers():", "    pass", "", "", "def test_refuses_text():", "    pass"),
    }),
    needs: "pytest",
    label: {
      syntax: "failed",
      tests: "passed",
      counts: [2, 0, 0, 0],
      findings: ["test_add.py:1 stub", "test_add.py:5 stub"],
    },
  },
  advice(
    "JavaScript, the rest of the code",
    { "app.js": lines("const a = 1;", "// ... rest of the code ...", "module.exports = { a };") },
    "app.js:2",
  ),
  advice(
    "JavaScript, previous functions here",
    { "app.mjs": lines("// ... (previous functions)", "export const next = (a) => a + 1;") },
    "app.mjs:1",
  ),
  advice(
    "JavaScript, same as before",
    {
      "app.mjs": lines(
        "export class Cart {",
        "  /* same as before */",
        "  total() {",
        "    return this.sum;",
        "  }",
        "}",
      ),
    },
    "app.mjs:2",
  ),
  stub("JavaScript, an empty function", { "parse.mjs": lines("export function parse(text) {", "}") }, "parse.mjs:1"),
  stub("JavaScript, an empty arrow", { "save.mjs": "export const save = async (order) => {};\n" }, "save.mjs:1"),
  stub(
    "JavaScript, a function that refuses",
    { "parse.js": lines("exports.parse = function (text) {", '  throw new Error("Not implemented");', "};") },
    "parse.js:1",
  ),
  stub(
    "JavaScript, a body that only says what it should do",
    { "parse.mjs": lines("export function parse(text) {", "  // Parse the text and return its words", "}") },
    "parse.mjs:1",
  ),
  stub(
    "JavaScript, a function that refuses, with a comment",
    {
      "parse.mjs": lines(
        "export const parse = (text) => {",
        "  // Parse the text",
        '  throw new Error("parse() is not implemented yet");',
        "};",
      ),
    },
    "parse.mjs:1",
  ),
  stub(
    "JavaScript, an empty method",
    {
      "queue.mjs": lines(
        "export class Queue {",
        "  constructor() {",
        "    this.items = [];",
        "  }",
        "",
        "  take(count) {}",
        "}",
      ),
    },
    "queue.mjs:6",
  ),
  stub(
    "JavaScript, a promised value",
    { "tax.mjs": lines("export function tax(amount, country) {", "  // TODO: look the rate up", "  return 0;", "}") },
    "tax.mjs:1",
  ),
  advice(
    "JavaScript, implementation goes here",
    {
      "sort.mjs": lines(
        "export function sort(list) {",
        "  const sorted = [...list];",
        "  // Implementation goes here",
        "  return sorted;",
        "}",
      ),
    },
    "sort.mjs:3",
  ),
  advice(
    "JavaScript, similar for the others",
    { "days.mjs": lines("export const days = {", "  monday: 1,", "  // ... similar for the other days", "};") },
    "days.mjs:3",
  ),
  {
    ...advice(
      "JavaScript, left out of a component",
      {
        "App.jsx": lines(
          "export const App = () => (",
          "  <main>",
          "    <p>It's here</p>",
          "    {/* ... existing sections ... */}",
          "  </main>",
          ");",
        ),
      },
      "App.jsx:4",
    ),
  },
  stub(
    "TypeScript, a function that refuses",
    {
      "parse.ts": lines(
        "export function parse<T>(text: string): Promise<T[]> {",
        '  throw new Error("Method not implemented.");',
        "}",
      ),
    },
    "parse.ts:1",
  ),
  stub(
    "TypeScript, an empty method that promises an answer",
    {
      "repo.ts": lines(
        "export class Repo extends Map<string, string> {",
        "  async load(key: string): Promise<string> {}",
        "}",
      ),
    },
    "repo.ts:2",
  ),
  advice(
    "TypeScript, no changes below",
    { "main.ts": lines("export const port: number = 80;", "", "// No changes below this line") },
    "main.ts:3",
  ),
  stub(
    "Go, a function that panics",
    { "main.go": lines("package main", "", "func parse(text string) []string {", '\tpanic("not implemented")', "}") },
    "main.go:3",
  ),
  stub(
    "Rust, a body to do",
    { "src/lib.rs": lines("pub fn parse(text: &str) -> u32 {", "    todo!()", "}") },
    "src/lib.rs:1",
  ),
  stub(
    "shell, a function to do",
    { "deploy.sh": lines("#!/bin/sh", "deploy() {", "  # TODO: implement deployment", "  :", "}", "deploy") },
    "deploy.sh:2",
  ),
  advice(
    "a page with its rest left out",
    { "index.html": lines("<main>", "  <!-- ... existing content ... -->", "</main>") },
    "index.html:2",
  ),
  advice(
    "a style with its rest left out",
    { "a.css": lines("p { color: red; }", "/* ... rest of the styles ... */") },
    "a.css:2",
  ),
  {
    ...stub(
      "Python, most of a file is gone",
      {
        "parts.py": pythonParts(6),
        "main.py": lines("from parts import part_2", "import parts", "", "print(part_2('a'), parts.part_21('a'))"),
      },
      "parts.py:1",
    ),
    before: { "parts.py": pythonParts(30), "main.py": "import parts\n" },
  },
  {
    ...stub(
      "JavaScript, most of a file is gone",
      {
        "parts.js": javascriptParts(4),
        "main.js": lines('const parts = require("./parts");', "parts.part1(parts.part19('a'));"),
      },
      "parts.js:1",
    ),
    before: { "parts.js": javascriptParts(30) },
  },
  {
    name: "kept: a file that came with its stub, changed elsewhere",
    kind: "javascript",
    files: { "pack.js": `${packed}exports.unpack = (text) => text.trim();\n` },
    before: { "pack.js": packed },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "kept: a file that came with its stub, moved",
    kind: "javascript",
    files: { "lib/pack.js": packed },
    before: { "pack.js": packed },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "kept: a large file that was split",
    kind: "python",
    needs: "python",
    files: {
      "parts.py": "from more import *\n",
      "more.py": pythonParts(30),
      "main.py": "import parts\n\nparts.part_21('a')\n",
    },
    before: { "parts.py": pythonParts(30) },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "kept: unused code was removed",
    kind: "python",
    needs: "python",
    files: { "parts.py": pythonParts(5), "main.py": "import parts\n\nparts.part_1('a')\n" },
    before: { "parts.py": pythonParts(30) },
    label: { syntax: "passed", tests: "not_found" },
  },
];
