import { describe, expect, it } from "vitest";
import { processorMs } from "../../../test/doubles/enough-time.ts";
import { type ChangedSource, findStubs, type SourceFile } from "./stubs.ts";

const stubsIn = (path: string, text: string, more: Partial<ChangedSource> = {}, others: SourceFile[] = []) =>
  findStubs([{ path, text, ...more }], () => others).errors;
const adviceIn = (path: string, text: string) => findStubs([{ path, text }], () => []).warnings;
const linesIn = (path: string, text: string) => stubsIn(path, text).map(({ line }) => line);

describe("a comment that may replace code", () => {
  it.each([
    ["a.py", "def f():\n    return 1\n\n# ... existing code ...\n"],
    ["a.py", "class A:\n    x = 1\n\n    # rest of the class remains unchanged\n"],
    ["a.py", "x = 1\n\n\n# TODO: implement the parser\n"],
    ["a.js", "const a = 1;\n\n\n// ... rest of the code unchanged ...\n"],
    ["a.ts", "const a = 1;\n\n\n/* Rest of the methods stay the same */\n"],
    ["a.jsx", "const a = <p>Don't</p>;\n\n\n{/* ... other components ... */}\n"],
    ["a.mjs", "f(x);\n\n\n// Your code here\n"],
    ["a.go", "package a\n\n\n// ... (remaining methods as before)\n"],
    ["a.sh", "echo $#\n\n\n# same as before\n"],
    ["a.css", "a { }\n\n\n/* ... existing styles ... */\n"],
    ["a.html", "<p>Don't</p>\n\n\n<!-- rest of the page unchanged -->\n"],
  ])("is advice in %s, and no error", (path, text) => {
    expect(findStubs([{ path, text }], () => [])).toEqual({
      errors: [],
      warnings: [{ path, line: 4, rule: "stub", message: expect.stringContaining("may replace code") }],
    });
  });

  it("may be dots among other statements in Python", () => {
    expect(adviceIn("a.py", "def f(text):\n    x = 1\n    ...\n    return x\n")).toMatchObject([{ line: 3 }]);
  });

  it.each([
    ["a.py", 'TEXT = "# ... existing code ..."\nMORE = """\n# your code here\n"""\n'],
    ["a.py", "x = f\"{names['# TODO: implement']}\"\n"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is looked at.
    ["a.js", "const text = `\n// ... rest of the code unchanged ...\n${a ? `// your code here` : ''}`;\n"],
    ["a.js", "const pattern = /[/]\\/\\/ your code here/;\n"],
    ["a.sh", "cat <<'END'\n# your code here\nEND\n"],
    ["a.md", "Your code here\n\n# TODO: implement\n"],
  ])("is none in a string of %s", (path, text) => {
    expect(findStubs([{ path, text }], () => [])).toEqual({ errors: [], warnings: [] });
  });

  it.each([
    "# [existing code]",
    "# --- existing code ---",
    "# <previous implementation>",
    "# (existing methods remain unchanged)",
    "# Keep the rest of the code as is",
    "# Add more tests here",
    "# Logic to be added here",
    "# TODO: add implementation",
    "# TODO: fill this in",
    "# ... [truncated]",
    "# Omitted for brevity",
    "# Placeholder for the actual implementation",
    "# Continue with the rest of the implementation",
    "# In a real implementation, this would call the server",
    "# Simplified for now",
    "# hard-coded for now",
  ])("has many words: %s", (comment) => {
    expect(adviceIn("a.py", `${comment}\nx = 1\n`)).toHaveLength(1);
  });

  it.each([
    "# -- Other methods ----------",
    "# The rest of the line is a comment.",
    "# names that are unchanged keep their place",
    "# Same as above, but with a limit.",
    "# TODO: look at the time zone",
    "# placeholder text of the field",
    "# ... and so the sum is zero",
  ])("is not every comment that sounds like one: %s", (comment) => {
    expect(adviceIn("a.py", `${comment}\nx = 1\n`)).toEqual([]);
  });
});

describe("a Python function without a body", () => {
  it.each([
    "def parse(text):\n    pass\n",
    'def parse(text):\n    """Cuts the text into words."""\n',
    'async def parse(text) -> list[str]:\n    """Cuts the text."""\n    ...\n',
    "def parse(text): raise NotImplementedError\n",
    "def parse(text):\n    raise NotImplementedError('not implemented yet')\n",
    "def parse(text):\n    # TODO: cut it into words\n    return []\n",
    "class Parser:\n    def parse(self, text):\n        pass\n",
    "class Parser(Base):\n    def parse(self) -> str:\n        pass\n",
    "def parse(text):\n    # Cut the text into words\n    pass\n",
  ])("is a stub: %j", (text) => {
    expect(stubsIn("a.py", text)).toHaveLength(1);
  });

  it.each([
    "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def f(self):\n        pass\n",
    "class A(Protocol):\n    def f(self) -> int: ...\n",
    "@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a):\n    return a\n",
    "class Wrong(Exception):\n    pass\n",
    "class A:\n    def __init__(self):\n        pass\n    def __exit__(self, *wrong):\n        pass\n",
    "class Shape:\n    def area(self):\n        raise NotImplementedError\nclass Circle(Shape):\n    def area(self):\n        return 3\n",
    "def f():\n    raise NotImplementedError('must be overridden')\n",
    "@click.group()\ndef cli():\n    pass\n",
    "def noop(*args):\n    pass\n",
    "def report(text):\n    # Nothing to report here.\n    pass\n",
    "try:\n    import fcntl\nexcept ImportError:\n    def lock():\n        pass\n",
    "class Quiet(Handler):\n    def log_message(self, *args):\n        pass  # silence\n",
    "def f():\n    try:\n        g()\n    except OSError:\n        pass\n",
    "def f(a: tuple[int, ...] = ...):\n    return a[..., 0]\n",
  ])("is meant: %j", (text) => {
    expect(stubsIn("a.py", text)).toEqual([]);
  });

  it("is meant where another file builds upon its class", () => {
    const base = "class Store:\n    def load(self):\n        raise NotImplementedError\n";
    expect(stubsIn("store.py", base)).toHaveLength(1);
    const other = { path: "disk.py", text: "import store\nclass Disk(store.Store):\n    def load(self): return 1\n" };
    expect(stubsIn("store.py", base, {}, [other])).toEqual([]);
  });

  it("has the rest of the tree read once at most, and only where it matters", () => {
    let read = 0;
    const others = () => {
      read += 1;
      return [];
    };
    findStubs([{ path: "a.py", text: "def parse(text):\n    pass\n" }], others);
    expect(read).toBe(0);
    const classes = ["A1", "B1", "C1"].map((name) => `class ${name}:\n    def f1(self):\n        pass\n`).join("");
    expect(findStubs([{ path: "a.py", text: classes }], others).errors).toHaveLength(3);
    expect(read).toBe(1);
  });

  it("is a test that tests nothing", () => {
    expect(linesIn("test_a.py", "def test_adding():\n    pass\n\ndef callback():\n    pass\n")).toEqual([1]);
  });
});

describe("a JavaScript function without a body", () => {
  it.each([
    ["a.js", "export function parse(text) {}\n"],
    ["a.js", "export const parse = (text) => {\n};\n"],
    ["a.js", "exports.parse = async function (text) { };\n"],
    ["a.js", "function parse(text) { throw new Error('not implemented'); }\n"],
    ["a.ts", "export function parse<T>(text: T): Map<string, T[]> {\n  throw new Error(`Not implemented yet`);\n}\n"],
    ["a.ts", "class Parser {\n  private async parse(text: string): Promise<string> {}\n}\n"],
    ["a.ts", "class Parser {\n  parse = (text: string): string => {};\n}\n"],
    ["a.js", "function parse(text) {\n  // TODO: cut it into words\n  return [];\n}\n"],
    ["a.js", "exports.codec = { parse(text) {\n  // TODO\n} };\n"],
    ["a.tsx", "const handleSubmit = () => {\n  // handle submit\n};\n"],
    ["a.ts", "export function onParse(text: string): string[] {}\n"],
    ["a.js", "export function once(call) {}\n"],
    ["a.js", "export function onChange(value) {\n  // TODO: save the value\n}\n"],
    ["a.js", "export function save(order) {\n  // Save what was asked for by the user\n}\n"],
    ["a.js", "export function save(order) {\n  // Write the order to the disk\n}\n"],
    ["a.js", "function parse(text) { throw 'not implemented'; }\n"],
    ["a.js", "function parse(text) {\n  // Cuts the text into words\n  throw new Error('not implemented');\n}\n"],
    ["a.js", "class Parser {\n  parse(text) {\n    // implementation goes here\n  }\n}\n"],
  ])("is a stub in %s: %j", (path, text) => {
    expect(stubsIn(path, text)).toHaveLength(1);
  });

  it.each([
    ["a.js", "process.on('x', () => {});\nfs.rm(path, function () {});\nfoo(function done() {});\n"],
    ["a.js", "export function run(log = () => {}, { done = function () {} } = {}) { log(); done(); }\n"],
    ["a.js", "try { a(); } catch {}\ntry { a(); } catch (e) {}\nfor (;;) {}\nif (a) {}\n"],
    ["a.js", "const noop = () => {};\nfunction noOp() {}\nfunction ignore() {}\n"],
    ["a.js", "export function onChange() {}\nexport const onSave = (value) => {};\nfunction handleError(error) {}\n"],
    ["a.ts", "export function onChange(value: string): void {}\nconst defaultCallback = () => {};\n"],
    ["a.js", "export function ignoreErrors() {}\nexport const noopLogger = () => {};\n"],
    ["a.js", "export function save() {\n  // The server has saved it by then.\n}\n"],
    ["a.js", "class Draft {\n  save() { /* done elsewhere */ }\n}\n"],
    ["a.ts", "abstract class A { abstract f(): void; g(): void {} }\ninterface B { f(): void }\n"],
    ["a.ts", "class A { constructor(private readonly a: string) {} set b(_: string) {} }\n"],
    [
      "a.ts",
      "export const a: Record<string, () => void> = {};\nexport type B = {};\nconst c = <T,>(x: T): {} => ({});\n",
    ],
    ["a.d.ts", "export function parse(text: string): string[];\n// your code here\n"],
    ["a.js", "class Shape { area() { throw new Error('area must be overridden'); } }\n"],
    [
      "a.js",
      "class Shape { area() { throw new Error('not implemented'); } }\nclass Circle extends Shape { area() { return 3; } }\n",
    ],
    ["a.js", "const a = b / c; const d = '{}'; const e = /[{]}/.test(x) ? {} : {};\n"],
    ["a.js", "let close = () => {};\nif (open) close = () => open.end();\n"],
    ["a.test.js", "test('a', () => {});\nfunction fake() {}\n"],
  ])("is meant in %s: %j", (path, text) => {
    expect(stubsIn(path, text)).toEqual([]);
  });
});

describe("a function in another language", () => {
  it.each([
    ["a.go", 'package a\n\nfunc Parse(text string) []string {\n\tpanic("not implemented")\n}\n'],
    ["a.rs", "fn parse(text: &str) -> Vec<String> {\n    todo!()\n}\n"],
    [
      "A.java",
      'class A {\n  String parse(String text) {\n    throw new UnsupportedOperationException("Not implemented yet");\n  }\n}\n',
    ],
    ["a.cs", "class A {\n  string Parse(string text) {\n    throw new NotImplementedException();\n  }\n}\n"],
    ["a.kt", "fun parse(text: String): String {\n  TODO()\n}\n"],
    ["a.sh", "parse() {\n  # TODO: implement\n  :\n}\n"],
    ["a.sh", 'parse() {\n  echo "Not implemented yet"\n}\n'],
  ])("that only refuses is a stub in %s", (path, text) => {
    expect(stubsIn(path, text)).toHaveLength(1);
  });

  it.each([
    [
      "a.go",
      "package a\n\nfunc (n *Leaf) isNode() {}\n\nfunc Must(err error) {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}\n",
    ],
    ["A.java", 'class A {\n  void remove() {\n    throw new UnsupportedOperationException("read only");\n  }\n}\n'],
    ["a.sh", "quiet() {\n  :\n}\n"],
  ])("that refuses for a reason is none in %s", (path, text) => {
    expect(stubsIn(path, text)).toEqual([]);
  });
});

describe("a file that was there before", () => {
  const stub = "def parse(text):\n    pass\n";

  it("is not blamed for what it had", () => {
    expect(stubsIn("a.py", `${stub}\nx = 1\n`, { before: stub })).toEqual([]);
  });

  it("is blamed for what came new", () => {
    const text = `${stub}\ndef scan(text):\n    pass\n`;
    expect(stubsIn("a.py", text, { before: stub })).toMatchObject([{ line: 4 }]);
  });

  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `def part${from + at}(x):\n    y = x + 1\n    return y\n`).join("\n");
  const uses = { path: "main.py", text: "import parts\nparts.part25(1)\n" };

  it("may not lose most of its lines while others use what is gone", () => {
    expect(stubsIn("parts.py", many(0, 5), { before: many(0, 30) }, [uses])).toEqual([
      {
        path: "parts.py",
        line: 1,
        rule: "stub",
        message: expect.stringMatching(/15 of 90 lines.*main\.py still uses part25/),
      },
    ]);
  });

  it("may lose what is not used, and what moved", () => {
    expect(stubsIn("parts.py", many(0, 5), { before: many(0, 30) }, [])).toEqual([]);
    const moved = [
      { path: "parts.py", text: many(0, 5), before: many(0, 30) },
      { path: "more.py", text: many(5, 30) },
    ];
    expect(findStubs(moved, () => [uses]).errors).toEqual([]);
  });
});

describe("hostile text", () => {
  it.each([
    ["a.js", "`${".repeat(50_000)],
    ["a.py", 'f"{'.repeat(50_000)],
    ["a.py", "...\n".repeat(50_000)],
    ["a.py", "def _a(): pass\n".repeat(20_000)],
    ["a.js", "function a() {}\n".repeat(20_000)],
    ["a.js", "({[".repeat(50_000)],
    ["a.js", "/* ".repeat(50_000)],
    ["a.go", "func a(< {}".repeat(20_000)],
    ["a.js", `// ${"..".repeat(50_000)} x`],
    ["a.sh", "<<A ".repeat(20_000)],
  ])("in %s is done with in time", (path, text) => {
    let found = 0;
    const took = processorMs(() => {
      found = stubsIn(path, text).length;
    });
    expect(found).toBeLessThanOrEqual(50);
    expect(took).toBeLessThan(5_000);
  });
});

describe("what only looks like a stub", () => {
  it.each([
    [
      "a comment of a layout",
      "templates/base.html",
      "<main>\n<!-- Page content goes here -->\n{% block content %}{% endblock %}\n</main>\n",
    ],
    ["an empty migration", "migrations/versions/1_init.py", "def upgrade():\n    pass\n\ndef downgrade():\n    pass\n"],
    [
      "a base class whose subclasses come with the next instruction",
      "game/state.py",
      'class State:\n    """One screen of the game."""\n    def enter(self):\n        pass\n    def update(self, dt):\n        pass\n    def draw(self, screen):\n        pass\n',
    ],
    [
      "an empty init",
      "src/storage.ts",
      "export class Storage {\n  async init(): Promise<void> {}\n  async close(): Promise<void> {}\n}\n",
    ],
    [
      "a refusal that is the function's job",
      "internal/x.go",
      'package x\n\nimport "errors"\n\nfunc Unsupported() error {\n\treturn errors.New("operation not implemented on this platform")\n}\n',
    ],
    [
      "a simulation that the task asks for",
      "app/pay.py",
      'def charge(amount):\n    # In a real implementation, this would call Stripe; the task asks for a simulated gateway.\n    return {"ok": amount < 1000}\n',
    ],
  ])("is no error: %s", (_what, path, text) => {
    expect(stubsIn(path, text)).toEqual([]);
  });

  it("is an error all the same in a class of its own work, and without a reason", () => {
    expect(linesIn("game/game.py", "class Game:\n    def update(self, dt):\n        pass\n")).toEqual([2]);
    expect(
      linesIn(
        "x.go",
        'package x\n\nimport "errors"\n\nfunc Parse() error {\n\treturn errors.New("not implemented")\n}\n',
      ),
    ).toEqual([5]);
  });
});
