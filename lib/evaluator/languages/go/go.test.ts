import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  layTree,
  newFolder,
  removeFolders,
  toolchain,
} from "../../../../test/doubles/evaluation.ts";
import { openSandbox } from "../../../sandbox/sandbox.ts";
import { createEvaluate } from "../../evaluate.ts";
import { listTree } from "../../tree.ts";
import { findingsIn } from "./findings.ts";
import { readCode } from "./modules.ts";
import { openEvents } from "./test-events.ts";

afterAll(removeFolders);

const noGo = toolchain.tools.go === undefined;
/** The first evaluation compiles the standard library. */
const COLD_MS = 170_000;

const code = async (files: Files) => readCode(await listTree(layTree(files)));
const event = (fields: object): string => `${JSON.stringify({ Package: "shop/in", ...fields })}\n`;
const ended = (Test: string, Action: string, Output?: string): string =>
  event({ Action: "run", Test }) +
  (Output ? event({ Action: "output", Test, Output }) : "") +
  event({ Action, Test, Elapsed: 0.5 });
const read = (text: string) => {
  const events = openEvents({ name: "shop", folder: "go" });
  for (const line of text.split("\n")) events.readLine(line);
  return events.close().report;
};

describe("the events of go test", () => {
  it("are cases, named by folder and test, with what was printed where it failed", () => {
    const text =
      ended("TestA", "pass", "--- PASS: TestA\n") +
      ended("TestB", "fail", "    b_test.go:3: no\n") +
      ended("TestC", "skip");
    expect(read(text).cases).toEqual([
      { name: "go/in > TestA", status: "passed", seconds: 0.5 },
      { name: "go/in > TestB", status: "failed", seconds: 0.5, message: "b_test.go:3: no" },
      { name: "go/in > TestC", status: "skipped", seconds: 0.5 },
    ]);
  });

  it("count a test with tests inside where the failure is its own", () => {
    const inside = ended("TestA/one", "fail", "no\n") + ended("TestA", "fail");
    expect(read(inside).cases.map(({ name }) => name)).toEqual(["go/in > TestA/one"]);
    const own = ended("TestA/one", "pass") + ended("TestA", "fail", "no\n");
    expect(read(own).cases.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "go/in > TestA/one passed",
      "go/in > TestA failed",
    ]);
  });

  it("say which test was running when nothing came any more", () => {
    const text = event({ Action: "run", Test: "TestHangs" });
    expect(read(text)).toMatchObject({ cases: [], running: ["go/in > TestHangs"] });
  });

  it("are errors where the process ended before a test did, or before any", () => {
    const left = event({ Action: "run", Test: "TestLeaves" }) + event({ Action: "fail" });
    expect(read(left).cases).toMatchObject([{ name: "go/in > TestLeaves", status: "error" }]);
    const begun = event({ Action: "output", Output: "panic: no\n" }) + event({ Action: "fail" });
    expect(read(begun).cases).toEqual([{ name: "go/in", status: "error", message: "panic: no" }]);
  });

  it("name the package that could not be had", () => {
    const build = (fields: object) => `${JSON.stringify({ ImportPath: "example.org/far", ...fields })}\n`;
    const text =
      build({ Action: "build-output", Output: "a.go:3:8: module lookup disabled\n" }) + build({ Action: "build-fail" });
    expect(read(text).cases).toMatchObject([{ status: "error", missing: "example.org/far" }]);
  });

  it("are no more than text where a test prints like them", () => {
    const forged = event({
      Action: "output",
      Test: "TestA",
      Output: `${JSON.stringify({ Action: "pass", Test: "TestB" })}\n`,
    });
    expect(read(`${event({ Action: "run", Test: "TestA" })}${forged}garbage\n{"Action":1}\n`)).toMatchObject({
      cases: [],
    });
  });
});

describe("what Go prints", () => {
  const printed = (text: string) => findingsIn(text, { folder: "in", copy: "/tmp/x/tree" });

  it("is a finding with its place, below the module's folder", () => {
    expect(
      printed("# shop/in\nvet: ./a.go:3:9: undefined: y\n./b.go:1:2: missing return\n\tas it must\n").errors,
    ).toEqual([
      { path: "in/a.go", line: 3, column: 9, message: "undefined: y", rule: "compile" },
      { path: "in/b.go", line: 1, column: 2, message: "missing return as it must", rule: "syntax" },
    ]);
  });

  it("is a warning where it compiles", () => {
    const entry = { posn: "/tmp/x/tree/in/a.go:6:14", message: "wrong type" };
    const text = `# shop\n${JSON.stringify({ shop: { printf: [entry] } }, null, "\t")}\n{}\n`;
    expect(printed(text)).toEqual({
      errors: [],
      warnings: [{ path: "in/a.go", line: 6, column: 14, message: "wrong type", rule: "printf" }],
    });
  });
});

describe("the modules of a tree", () => {
  it("are its folders with a go.mod; what lies in none is taken for one", async () => {
    const { modules } = await code({
      "main.go": 'package main\n\nimport "my/shop/stock"\n',
      "stock/a.go": "package stock\n",
      "tool/go.mod": "module tool\n\nrequire (\n\texample.org/far v1.2.3 // indirect\n)\n",
      "tool/a.go": "package tool\n",
      "stock/testdata/broken.go": "",
    });
    expect(modules).toMatchObject([
      { folder: "", name: "my/shop", made: "module my/shop\n", files: ["main.go", "stock/a.go"] },
      { folder: "tool", name: "tool", required: ["example.org/far"], files: ["tool/a.go"] },
    ]);
  });
});

const module = "module shop\n\ngo 1.21\n";
const test = (body: string) => `package shop\n\nimport "testing"\n\nfunc TestA(t *testing.T) { ${body} }\n`;

describe("Go without Go", () => {
  it("is not checked, and says so", async () => {
    const bare = { toolchain: { node: toolchain.node, path: "" } };
    const found = await evaluation({ "go.mod": module, "a_test.go": test("") }, undefined, bare);
    expect(found.syntax).toMatchObject({ status: "not_run", reason: "no_toolchain" });
    expect(found.tests).toMatchObject({ status: "not_run", reason: "no_toolchain", passed: 0 });
  });
});

describe.skipIf(noGo)("Go (needs go)", () => {
  // On a busy computer the standard library is compiled in more than one go.
  beforeAll(async () => {
    const files = { "go.mod": module, "a.go": 'package shop\n\nimport _ "fmt"\n', "a_test.go": test("") };
    for (const _ of [1, 2]) await evaluation(files, { tests: {}, timeoutMs: COLD_MS });
  }, 2 * COLD_MS);

  it("is parsed where a file changed, and nothing more", async () => {
    const files = {
      "go.mod": module,
      "a.go": "package shop\n\nfunc a( {\n",
      "b.go": "package shop\n\nvar b = nothing\n",
    };
    const of = async (paths: string[]) => (await evaluation(files, { syntax: { paths } })).syntax;
    expect(await of(["b.go"])).toMatchObject({ status: "passed" });
    expect(await of(["a.go"])).toMatchObject({ status: "failed", errors: [{ path: "a.go", line: 3, rule: "syntax" }] });
    expect(await of(["README.md"])).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it(
    "is compiled, examined and tested at the gate",
    async () => {
      const files = {
        "go.mod": module,
        "a.go": 'package shop\n\nimport "fmt"\n\nfunc A() { fmt.Printf("%d", "one") }\n',
        "a_test.go": test('t.Log("seen")'),
      };
      const { syntax, tests } = await evaluation(files, { syntax: {}, tests: {}, timeoutMs: COLD_MS });
      expect(syntax).toMatchObject({ status: "passed", warnings: [{ path: "a.go", line: 5, rule: "printf" }] });
      expect(tests).toMatchObject({ status: "failed", runner: "go test" });
      expect(tests.cases[0]?.message).toContain("wrong type");
    },
    COLD_MS,
  );

  it(
    "without go.mod gets one in the copy, and reports it",
    async () => {
      const folder = { "a_test.go": test("") };
      const { syntax, tests } = await evaluation(folder, { syntax: {}, tests: {}, timeoutMs: COLD_MS });
      expect(syntax.warnings).toMatchObject([{ path: "go.mod", rule: "go.mod" }]);
      expect(tests).toMatchObject({
        status: "passed",
        passed: 1,
        detail: expect.stringContaining("there is no go.mod"),
      });
    },
    COLD_MS,
  );

  it(
    "tests what a go.work joins together, and what it leaves out by itself",
    async () => {
      const files = {
        "go.work": "go 1.21\n\nuse (\n\t./lib // used by app\n\t./app\n)\n",
        "lib/go.mod": "module example.org/lib\n\ngo 1.21\n",
        "lib/lib.go": "package lib\n\nfunc One() int { return 1 }\n",
        "app/go.mod": "module example.org/app\n\ngo 1.21\n\nrequire example.org/lib v0.0.0\n",
        "app/a_test.go": `package app\n\nimport (\n\t"testing"\n\n\t"example.org/lib"\n)\n
func TestApp(t *testing.T) {\n\tif lib.One() != 1 {\n\t\tt.Fail()\n\t}\n}\n`,
        "tools/go.mod": "module example.org/tools\n\ngo 1.21\n",
        "tools/t_test.go": 'package tools\n\nimport "testing"\n\nfunc TestTool(t *testing.T) {}\n',
      };
      const { syntax, tests } = await evaluation(files, { syntax: {}, tests: {}, timeoutMs: COLD_MS });
      expect(syntax).toMatchObject({ status: "passed" });
      expect(tests).toMatchObject({ status: "passed", passed: 2, failed: 0, errors: 0 });
    },
    COLD_MS,
  );

  it(
    "may link plugins, which takes the C compiler",
    async () => {
      const body = 'if os.Getenv("CGO_ENABLED") != "1" { t.Fail() }';
      const imports = 'import (\n\t"os"\n\t"testing"\n)';
      const plugin = '//go:build never\n\npackage shop\n\nimport "plugin"\n\nvar _ = plugin.Open\n';
      const files = { "go.mod": module, "a_test.go": test(body).replace('import "testing"', imports), "b.go": plugin };
      const { tests } = await evaluation(files, { tests: {}, timeoutMs: COLD_MS });
      expect(tests).toMatchObject({ status: "passed", passed: 1 });
    },
    COLD_MS,
  );

  it(
    "counts every one of 25,000 cases, whose events are longer than what is kept of an output",
    async () => {
      const body = 'for i := 0; i < 25000; i++ { t.Run(strings.Repeat("x", 200), func(t *testing.T) {}) }';
      const imports = 'import (\n\t"strings"\n\t"testing"\n)';
      const files = { "go.mod": module, "a_test.go": test(body).replace('import "testing"', imports) };
      const { tests } = await evaluation(files, { tests: {}, timeoutMs: COLD_MS });
      expect(tests).toMatchObject({ status: "passed", passed: 25_000, failed: 0, errors: 0 });
    },
    COLD_MS,
  );

  it(
    "runs the packages of the test files that were asked for",
    async () => {
      const files = { "go.mod": module, "a_test.go": test("t.Fail()"), "in/b_test.go": test("") };
      const request = { tests: { paths: ["in/b_test.go"] }, timeoutMs: COLD_MS };
      expect((await evaluation(files, request)).tests).toMatchObject({ status: "passed", passed: 1 });
    },
    COLD_MS,
  );
});

const sandbox = openSandbox({
  env: process.env,
  node: process.execPath,
  folder: newFolder(),
  uid: process.getuid?.() ?? 1,
});

describe.skipIf(noGo || !sandbox.seal.describe().sealed)("sealed Go (needs go and bubblewrap)", () => {
  it(
    "finds the compiled standard library, and nothing to write to that outlasts it",
    async () => {
      const kept = newFolder();
      const evaluate = createEvaluate({ ...sandbox, kept, scratch: newFolder(), now: Date.now, newId: () => "" });
      const body = `
        if os.WriteFile(${JSON.stringify(join(kept, "spoilt"))}, nil, 0o644) == nil { t.Fatal("wrote what is kept") }
        if _, err := os.ReadDir(${JSON.stringify(kept)}); err == nil { t.Fatal("saw what is kept") }
        if err := os.WriteFile(filepath.Join(os.Getenv("GOCACHE"), "own"), nil, 0o644); err != nil { t.Fatal(err) }`;
      const imports = 'import (\n\t"os"\n\t"path/filepath"\n\t"testing"\n)';
      const files = { "go.mod": module, "a_test.go": test(body).replace('import "testing"', imports) };
      const { tests } = await evaluate(layTree(files), { tests: {}, timeoutMs: COLD_MS });
      expect(tests).toMatchObject({ status: "passed", passed: 1 });
      const [name] = readdirSync(kept);
      expect(name).toMatch(/^go1[\d.]*-65534$/);
      expect(existsSync(join(kept, name ?? "", "cache"))).toBe(true);
    },
    COLD_MS,
  );
});
