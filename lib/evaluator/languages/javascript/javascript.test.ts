import { afterAll, describe, expect, it } from "vitest";
import { withEnoughTime } from "../../../../test/doubles/enough-time.ts";
import { evaluation, type Files, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { noEnvironment } from "../../language.ts";

afterAll(removeFolders);

const MODULE = { "package.json": '{ "type": "module" }' };
const nodeAlone = { toolchain: { node: toolchain.node, path: "" } };

async function findings(files: Files, paths?: string[]) {
  const { syntax } = await evaluation(files, { syntax: paths ? { paths } : {} });
  return syntax.errors.map(({ path, line, column, message }) => `${path}:${line}:${column} ${message}`);
}

describe("the syntax of JavaScript", () => {
  it("is checked for every format that Node knows", async () => {
    const files = {
      "script.js": "#!/usr/bin/env node\nreturn;\n",
      "ambiguous.js": "export const a = await 1;\n",
      "bom.js": "\ufeffmodule.exports = 1;\n",
      "module.mjs": "import.meta.url;\n",
      "old.cjs": "with ({}) {}\n",
      "own/package.json": '{ "type": "module" }',
      "own/a.js": "export default 1;\n",
      "types.ts": "enum Colour { Red }\nconst a: Colour = Colour.Red;\nexport { a };\n",
      "plain.ts": "interface A { b: string }\nexport const a: A = { b: '' };\n",
    };
    expect(await findings(files)).toEqual([]);
  });

  it.each<[string, Files, string]>([
    ["a script", { "a.js": "let a = 1;\nlet b = ;\n" }, "a.js:2:9 SyntaxError: Unexpected token ';'"],
    [
      "a module",
      { ...MODULE, "a.js": "export const a = 1;\nlet a;\n" },
      "a.js:2:5 SyntaxError: Identifier 'a' has already been declared",
    ],
    ["an ambiguous file", { "a.js": "import 'node:fs';\n\nlet x = ;\n" }, "a.js:3:9 SyntaxError: Unexpected token ';'"],
    ["TypeScript", { "a.ts": "const a: number = 1;\nconst b: = 2;\n" }, "a.ts:2:10 SyntaxError: "],
    [
      "a module in a package of scripts",
      { "package.json": '{ "type": "commonjs" }', "a.js": "\nexport default 1;\n" },
      "a.js:2:1 SyntaxError: Unexpected token 'export'",
    ],
  ])("names line and column in %s", async (_, files, expected) => {
    const found = await findings(files);
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, expected.length)).toBe(expected);
  });

  it("finds a package.json that is none", async () => {
    expect(await findings({ "package.json": '{\n  "name": \n}', "a.js": "" })).toEqual([
      expect.stringContaining("package.json"),
    ]);
  });

  it("leaves JSX to a compiler, and says that nothing checked it", async () => {
    const react = { "package.json": '{ "dependencies": { "react": "19" } }', "a.js": "const a = <b/>;\n" };
    expect((await evaluation({ "a.jsx": "<a/>" })).syntax).toMatchObject({ status: "not_run", reason: "no_toolchain" });
    expect((await evaluation(react)).syntax).toMatchObject({ status: "not_run", reason: "no_toolchain" });
    expect(await findings({ "a.js": "const a = <b/>;\n" })).toHaveLength(1);
  });
});

describe("what modules import", () => {
  it("must be there", async () => {
    const files = {
      ...MODULE,
      "a.js": "import { b } from './b.js';\nimport './sub/c.js';\n",
      "b.js": "export const b = 1;\n",
    };
    expect(await findings(files)).toEqual(['a.js:2:8 cannot find "./sub/c.js"']);
  });

  it("must be exported, under that name or by default", async () => {
    const files = {
      ...MODULE,
      "a.js": "import b, { c, nope as d } from './b.js';\nimport * as all from './b.js';\n",
      "b.js": "export const c = 1;\nexport function f() {}\n",
    };
    expect(await findings(files)).toEqual([
      'a.js:1:8 "./b.js" does not export a default',
      'a.js:1:16 "./b.js" does not export "nope"',
    ]);
  });

  it("may be passed on by another module", async () => {
    const files = {
      ...MODULE,
      "a.js": "import { b, c, renamed, space, gone } from './index.js';\n",
      "index.js":
        "export * from './b.js';\nexport { c as renamed, c } from './c.js';\nexport * as space from './c.js';\n",
      "b.js": "export const b = 1;\n",
      "c.js": "export const c = 1;\n",
    };
    expect(await findings(files)).toEqual(['a.js:1:32 "./index.js" does not export "gone"']);
  });

  it("is not judged where it cannot be certain", async () => {
    const files = {
      ...MODULE,
      "a.js": [
        "import { x } from 'some-package';",
        "import { y } from './star.js';",
        "import { z } from './old.cjs';",
        "import data from './data.json' with { type: 'json' };",
        "import { t } from './typed.ts';",
        "import './dist/built.js';",
        "import extensionless from './star';",
        "import { one } from './circle-a.js';",
      ].join("\n"),
      "star.js": "export * from 'some-package';\n",
      "old.cjs": "module.exports = {};\n",
      "data.json": "{}",
      "typed.ts": "export interface t {}\n",
      "circle-a.js": "export * from './circle-b.js';\n",
      "circle-b.js": "export * from './circle-a.js';\n",
    };
    expect(await findings(files)).toEqual([]);
  });

  it("is checked in files that depend on the changed one, and in no others", async () => {
    const files = {
      ...MODULE,
      "b.js": "export const b = 1;\n",
      "user.js": "import { gone } from './b.js';\n",
      "other.js": "import { nothing } from './c.js'; // speaks of b\n",
      "c.js": "",
    };
    expect(await findings(files, ["b.js"])).toEqual(['user.js:1:10 "./b.js" does not export "gone"']);
  });

  it("is checked in files that imported what was deleted", async () => {
    const files = { ...MODULE, "user.js": "import './gone.js';\n", "main.js": "" };
    expect(await findings(files, ["gone.js"])).toEqual(['user.js:1:8 cannot find "./gone.js"']);
  });

  it("has nothing to check where no code was asked for", async () => {
    const { syntax } = await evaluation({ "a.js": "(", "README.md": "" }, { syntax: { paths: ["README.md"] } });
    expect(syntax).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });
});

const test = (name: string, body: string) => `require('node:test')('${name}', () => { ${body} });\n`;
const testsOf = async (files: Files, more: { timeoutMs?: number; paths?: string[] } = {}) => {
  const { paths, ...limits } = more;
  return (await evaluation(files, { tests: paths ? { paths } : {}, ...limits }, nodeAlone)).tests;
};

describe("the tests of JavaScript", () => {
  it("pass case by case, in either language", async () => {
    const typed = "import { test } from 'node:test';\ntest('typed', () => { const a: number = 1; });\n";
    expect(await testsOf({ "a.test.js": test("adds", ""), "b.test.mts": typed })).toMatchObject({
      status: "passed",
      runner: "node --test",
      passed: 2,
      cases: [
        { name: "a.test.js > adds", status: "passed" },
        { name: "b.test.mts > typed", status: "passed" },
      ],
    });
  });

  it("that fail are named with their message, within their suite", async () => {
    const suite = `const { describe, it } = require('node:test');
      describe('sum', () => { it('adds', () => {}); it('carries', () => { throw new Error('lost the one'); }); it.skip('later'); });`;
    const verdict = await testsOf({ "test/sum.js": suite });
    expect(verdict).toMatchObject({ status: "failed", passed: 1, failed: 1, skipped: 1 });
    expect(verdict.cases).toContainEqual(
      expect.objectContaining({
        name: "test/sum.js > sum > carries",
        status: "failed",
        message: expect.stringContaining("lost the one"),
      }),
    );
  });

  it.skipIf(!toolchain.npm)(
    "that report no cases have not failed where the time was too short (needs npm)",
    async () => {
      const files = { "a.js": "", "package.json": JSON.stringify({ scripts: { test: "sleep 30" } }) };
      const { tests } = await evaluation(files, { tests: {}, timeoutMs: 3_000 });
      expect(tests).toMatchObject({ status: "not_run", reason: "out_of_time" });
    },
  );

  it("that do not end are stopped, and named", async () => {
    const files = {
      "a.test.js": `${test("ends", "")}require('node:test')('hangs', () => new Promise(() => setInterval(() => {}, 999)));\n`,
    };
    const tests = await withEnoughTime(
      2_000,
      (timeoutMs) => testsOf(files, { timeoutMs }),
      ({ detail = "" }) => detail.includes("hangs"),
    );
    expect(tests).toMatchObject({
      status: "timed_out",
      passed: 1,
      detail: "still running: a.test.js > hangs",
    });
  });

  it.each([
    ["process.exit(0)", "process.exit was called"],
    ["process.reallyExit(0)", "ended before"],
    ["process.abort()", "SIGABRT"],
    ["process.kill(process.pid, 'SIGKILL')", "SIGKILL"],
  ])("that end with %s midway never pass", async (end, message) => {
    const verdict = await testsOf({ "a.test.js": `${test("one", "")}${test("two", end)}${test("three", "throw 1")}` });
    expect(verdict.status).toBe("failed");
    expect(verdict.cases).toContainEqual(
      expect.objectContaining({ name: "a.test.js", status: "error", message: expect.stringContaining(message) }),
    );
  });

  it("in a file that cannot be loaded are an error with the reason", async () => {
    const verdict = await testsOf({ "a.test.js": "let a = ;\n" });
    expect(verdict).toMatchObject({ status: "failed", errors: 1 });
    expect(verdict.cases[0]?.message).toContain("Unexpected token ';'");
  });

  it("that are not there are not found", async () => {
    expect(await testsOf({ "a.js": "" })).toMatchObject({ status: "not_found", passed: 0 });
    const placeholder = {
      "package.json": '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }',
    };
    expect((await testsOf({ "a.js": "", ...placeholder })).status).toBe("not_found");
  });

  it("of which a declared runner finds none are not found", async () => {
    const files = { "package.json": '{ "scripts": { "test": "node --test" } }', "a.js": "" };
    expect((await testsOf(files)).status).toBe("not_found");
  });

  it("can be one script without a test runner, which counts by how it ends", async () => {
    const scripts = { "package.json": '{ "scripts": { "test": "node check.js" } }' };
    expect(await testsOf({ ...scripts, "check.js": "process.exit(0)" })).toMatchObject({ status: "passed", passed: 1 });
    expect(await testsOf({ ...scripts, "check.js": "process.exit(1)" })).toMatchObject({ status: "failed", failed: 1 });
    expect((await testsOf({ ...scripts, "check.js": "process.reallyExit(0)" })).status).toBe("crashed");
    expect((await testsOf({ ...scripts, "check.js": "process.abort()" })).status).toBe("crashed");
  });

  it("can be limited to some files", async () => {
    const files = { "a.test.js": test("a", ""), "b.test.js": test("b", "throw 1") };
    expect(await testsOf(files, { paths: ["a.test.js"] })).toMatchObject({ status: "passed", passed: 1 });
  });

  it("need npm where only the exit code of the script speaks, and say so", async () => {
    const files = { "package.json": '{ "scripts": { "test": "sh check.sh" } }', "a.test.js": test("a", "") };
    expect(await testsOf(files)).toMatchObject({
      status: "not_run",
      reason: "no_toolchain",
      detail: expect.stringContaining("npm"),
    });
  });

  it("count case by case among other commands, which must end well too", async () => {
    const script = (text: string) => ({
      "package.json": JSON.stringify({ scripts: { pretest: "sh -c 'true'", test: text, unit: "node --test" } }),
      "a.test.js": test("a", ""),
    });
    expect((await evaluation(script("node --test && echo done"), { tests: {} })).tests).toMatchObject({
      status: "passed",
      runner: "node --test",
      passed: 1,
      cases: [{ name: "a.test.js > a" }],
    });
    for (const text of ["npm run unit", "pnpm unit", "yarn run unit", "npm run -s unit && npm run unit"])
      expect((await evaluation(script(text), { tests: {} })).tests).toMatchObject({ status: "passed" });
    expect((await evaluation(script("node --test && exit 3"), { tests: {} })).tests.status).toBe("failed");
    expect((await evaluation(script("false && node --test"), { tests: {} })).tests).toMatchObject({
      status: "failed",
      passed: 0,
      cases: [{ name: "false", status: "failed" }],
    });
  });

  it.skipIf(!toolchain.npm)("may start the npm that they find with Node, as nyc does (needs npm)", async () => {
    const starts = `import { spawnSync } from "node:child_process"; import { existsSync } from "node:fs";
      const npm = process.env.PATH.split(":").map((folder) => folder + "/npm").find((path) => existsSync(path));
      process.exitCode = spawnSync(process.execPath, [npm, "run", process.argv[2]]).status;`;
    const scripts = (inner: string) => ({ test: "node starts.mjs inner", inner });
    const manifestOf = (inner: string) => ({
      "package.json": JSON.stringify({ scripts: scripts(inner) }),
      "starts.mjs": starts,
    });
    expect((await evaluation(manifestOf("true"), { tests: {} })).tests.status).toBe("passed");
    expect((await evaluation(manifestOf("false"), { tests: {} })).tests.status).toBe("failed");
  });

  it.skipIf(!toolchain.npm)("of another runner count by its exit code (needs npm)", async () => {
    const script = (code: number) => ({
      "package.json": `{ "scripts": { "test": "sh -c 'exit ${code}'" } }`,
      "a.js": "",
    });
    expect((await evaluation(script(0), { tests: {} })).tests).toMatchObject({ status: "passed", passed: 1 });
    expect((await evaluation(script(3), { tests: {} })).tests).toMatchObject({ status: "failed", failed: 1 });
  });

  it.skipIf(!toolchain.npm).each([
    ["some-runner run", "some-runner"],
    ["npx some-runner", "some-runner"],
    ["MODE=test npx @scope/runner", "@scope/runner"],
  ])("could not run where the declared runner of %j is not there (needs npm)", async (script, name) => {
    const manifest = { scripts: { test: script }, devDependencies: { [name]: "1" } };
    const { tests } = await evaluation({ "package.json": JSON.stringify(manifest), "a.js": "" }, { tests: {} });
    expect(tests).toMatchObject({ status: "not_run", reason: "package_missing" });
    const undeclared = { "package.json": JSON.stringify({ scripts: manifest.scripts }), "a.js": "" };
    expect((await evaluation(undeclared, { tests: {} })).tests.status).toBe("failed");
  });

  it.each([
    ["failed", "1"],
    ["passed", "0"],
  ])("have %s as a script that reads its input to the end says", async (status, code) => {
    const files = {
      "package.json": '{ "scripts": { "test": "node ask.js" } }',
      "ask.js": `process.stdin.resume();\nprocess.stdin.on("end", () => process.exit(${code}));\n`,
    };
    expect((await evaluation(files, { tests: {} })).tests.status).toBe(status);
  });

  it("have failed where a module is called like what every object has", async () => {
    expect((await testsOf({ "a.test.js": "require('constructor');\n" })).status).toBe("failed");
  });

  it("could not run where a declared package is not there", async () => {
    const files = { "package.json": '{ "dependencies": { "left-pad": "1" } }', "a.test.js": "require('left-pad');\n" };
    const { tests, missingPackages } = await evaluation(files, { tests: {} });
    expect(tests).toMatchObject({ status: "not_run", reason: "package_missing", errors: 1 });
    expect(tests.output).toContain("package left-pad is not available here");
    expect(missingPackages).toEqual(["left-pad"]);
  });

  it("have failed over an undeclared package although a declared one could not be had", async () => {
    const files = { "package.json": '{ "dependencies": { "left-pad": "1" } }', "a.test.js": "require('right-pad');\n" };
    const environment = { ...noEnvironment, missing: ["left-pad@1: no such package"] };
    expect((await evaluation(files, { tests: {}, environment })).tests.status).toBe("failed");
  });

  it("have failed if an undeclared package is missing", async () => {
    const verdict = await testsOf({ "a.test.mjs": "import 'left-pad/x.js';\n" });
    expect(verdict).toMatchObject({ status: "failed", errors: 1 });
    expect(verdict.output).toContain("package left-pad is not available here: the project does not declare it");
  });
});
