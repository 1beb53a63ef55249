import { stripTypeScriptTypes } from "node:module";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { canStub, stubFile } from "./stub-file.ts";

const codeOf = (path: string, text: string): string => stubFile(path, text, "nothing")?.text ?? "";

describe("stubs of JavaScript", () => {
  it("keep names, parameters, constructors and what is outside of functions, line by line", () => {
    const text = [
      "const LIMIT = 3;",
      "function add(one, other) {",
      "  return one + other;",
      "}",
      "const twice = (value) => value * 2;",
      "const each = async (list) => {",
      "  for (const one of list) await one;",
      "};",
      "class Till {",
      "  constructor() { this.all = [LIMIT]; }",
      "  get total() { return this.all.length; }",
      "  put(amount) { if (amount > LIMIT) { throw new Error('no'); } }",
      "}",
      "if (LIMIT) { add(1, 2); }",
      "[add, twice, each, new Till()];",
    ].join("\n");
    const stub = stubFile("a.js", text, "nothing");
    expect(stub?.bodies).toBe(5);
    const lines = stub?.text.split("\n") ?? [];
    expect(lines[0]).toBe("const LIMIT = 3;");
    expect(lines[9]).toBe("  constructor() { this.all = [LIMIT]; }");
    expect(lines[13]).toBe("if (LIMIT) { add(1, 2); }");
    const [add, twice, , till] = new Script(stub?.text ?? "").runInThisContext() as [
      (one: number, other: number) => unknown,
      (value: number) => unknown,
      unknown,
      { total: unknown; all: number[] },
    ];
    expect([add(1, 2), twice(4), till.total, till.all, add.length]).toEqual([undefined, undefined, undefined, [3], 2]);
  });

  it("of a value that takes any use do not break, and equal nothing", () => {
    const stub = stubFile("a.js", "function make() { return { a: [1] }; }\nmake();", "anything");
    const value = new Script(stub?.text ?? "").runInThisContext() as {
      a: { b(): unknown };
      then?: unknown;
    } & Iterable<unknown>;
    expect([...value]).toEqual([]);
    expect(value.then).toBeUndefined();
    expect(`${value.a.b() as string}`).toBe("a stub");
    expect(JSON.stringify({ value })).toBe("{}");
  });

  it("end an answer that a server would wait for", () => {
    const text = codeOf("a.js", "const handle = (request, response) => { response.writeHead(200); };\nhandle;");
    const ended: string[] = [];
    const handle = new Script(text).runInThisContext() as (one: object, other: object) => void;
    handle({}, { writeHead() {}, end: () => ended.push("ended") });
    expect(ended).toEqual(["ended"]);
  });

  it("end it where a function makes the handler", () => {
    const stub = stubFile("a.js", "const app = () => (request, response) => { response.end(); };\napp;", "anything");
    const app = new Script(stub?.text ?? "").runInThisContext() as () => (one: object, other: object) => void;
    const ended: string[] = [];
    const response = { writeHead() {}, end: () => ended.push("ended") };
    app()({}, response);
    // As the emitter of an event calls it.
    app().apply(undefined, [{}, response]);
    expect(ended).toEqual(["ended", "ended"]);
  });

  it("leave types of TypeScript as they are", () => {
    const text = [
      "export type Make = (one: number) => string;",
      "export interface Box { make(one: number): { text: string }; on?: (() => void) | undefined }",
      "export function box(on: (one: Error) => void): { text: string }[] {",
      "  return [];",
      "}",
      "const map = new Map<string, () => void>();",
      "export const name = ({ text }: { text: string }): string => text;",
      "export async function* all(): AsyncGenerator<{ one: number }> {",
      "  yield { one: map.size };",
      "}",
    ].join("\n");
    const stub = codeOf("a.ts", text);
    expect(() => stripTypeScriptTypes(stub)).not.toThrow();
    expect(stub.split("\n").slice(0, 2)).toEqual(text.split("\n").slice(0, 2));
    expect(stubFile("a.ts", text, "nothing")?.bodies).toBe(3);
  });
});

describe("stubs of Python", () => {
  it("keep signatures, decorators, constructors and what Python insists on", () => {
    const text = [
      "import os",
      "@cached",
      "def add(one, other=2) -> int:",
      '    """Adds."""',
      "    def inner():",
      "        return one",
      "    return inner() + other",
      "",
      "class Till:",
      "    def __init__(self):",
      "        self.all = []",
      "    def __len__(self): return len(self.all)",
      "    async def total(self,",
      "                    how):",
      "        return sum(self.all)",
      "LIMIT = add(1)",
    ].join("\n");
    const stub = codeOf("a.py", text);
    expect(stub.split("\n")).toEqual([
      ...["import os", "@cached", "def add(one, other=2) -> int: return None", "", "", "", "", "", "class Till:"],
      ...["    def __init__(self):", "        self.all = []", "    def __len__(self): return 0"],
      ...["    async def total(self,", "                    how): return None", "", "LIMIT = add(1)"],
    ]);
  });

  it("of Python return the same from functions whose names every object of JavaScript has", () => {
    expect(codeOf("a.py", "def toString(a):\n    return a\n")).toBe("def toString(a): return None\n\n");
  });
});

it("are made of files that have functions, in languages that can be read", () => {
  expect(["a.js", "a.mts", "a.py", "a.d.ts", "a.go", "a.css", "README.md"].filter(canStub)).toEqual([
    "a.js",
    "a.mts",
    "a.py",
  ]);
  expect(stubFile("a.js", "export const LIMIT = 3;\n", "nothing")).toBeUndefined();
});
