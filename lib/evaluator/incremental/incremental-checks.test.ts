import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { layTree, newFolder, noPython, pythonCan, removeFolders, toolchain } from "../../../test/doubles/evaluation.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { unsealed } from "../../sandbox/seal.ts";
import { createEvaluate } from "../evaluate.ts";
import { type CheckRequest, type Language, noTests, type TestsResult } from "../language.ts";

afterAll(removeFolders);

const evaluatorOf = (languages?: Language[]) =>
  createEvaluate({
    ...{ seal: unsealed("test"), toolchain, scratch: newFolder(), now: Date.now, newId: () => "" },
    ...(languages ? { languages } : {}),
  });

/** A kind whose findings and failing tests stand in the files themselves. */
function aLanguage(files: Record<string, string>, more: Partial<TestsResult> = {}) {
  const request: { syntax: (string[] | undefined)[]; tests: (string[] | undefined)[] } = { syntax: [], tests: [] };
  const chosen = ({ tree, paths }: CheckRequest) =>
    tree.files.filter((path) => path.endsWith(".py") && (!paths || paths.includes(path)));
  const holds = (path: string, word: string) => files[path]?.includes(word) ?? false;
  const language: Language = {
    name: "test",
    owns: (path) => path.endsWith(".py"),
    async syntax(given) {
      request.syntax.push(given.paths);
      const errors = chosen(given).flatMap((path) => (holds(path, "BROKEN") ? [{ path, message: "broken" }] : []));
      return { status: errors.length > 0 ? "failed" : "passed", errors };
    },
    async tests(given) {
      request.tests.push(given.paths);
      const ran = chosen(given).filter((path) => path.startsWith("test_"));
      const cases = ran.map((path) => ({
        name: `${path}::test`,
        status: holds(path, "WRONG") ? ("failed" as const) : ("passed" as const),
      }));
      const failed = cases.filter(({ status }) => status === "failed").length;
      const status = failed > 0 ? "failed" : "passed";
      return { ...noTests, status, runner: "pytest", cases, failed, passed: cases.length - failed, ...more };
    },
    testFiles: async ({ files: all }) => all.filter((path) => path.startsWith("test_")),
  };
  return { language, request };
}

function aProject(files: Record<string, string>, more: Partial<TestsResult> = {}) {
  const now = { ...files };
  const folder = layTree(now);
  const { language, request } = aLanguage(now, more);
  const evaluate = evaluatorOf([language]);
  const memory = {};
  return {
    request,
    write(path: string, text: string) {
      now[path] = text;
      writeFileSync(join(folder, path), text);
    },
    remove(path: string) {
      delete now[path];
      rmSync(join(folder, path));
    },
    check: (more: { incremental?: true; syntax?: { paths: string[] } } = { incremental: true }) =>
      evaluate(folder, { syntax: {}, tests: {}, memory, timeoutMs: 100_000, ...more }),
  };
}

const project = {
  "a.py": "x = 1\n",
  "b.py": "import a\n",
  "c.py": "",
  "test_b.py": "import b\n",
  "test_c.py": "import c\n",
};

describe("an incremental check", () => {
  it("is of everything where nothing is known, and says so by saying nothing", async () => {
    const { request, check } = aProject(project);
    const verdict = await check();
    expect(request).toEqual({ syntax: [undefined], tests: [undefined] });
    expect([verdict.syntax.scope, verdict.tests.scope]).toEqual([undefined, undefined]);
  });

  it("is of what changed and what depends on it, and says how much that is", async () => {
    const { request, check, write } = aProject(project);
    await check();
    write("a.py", "x = 2\n");
    expect(await check()).toMatchObject({
      syntax: { status: "passed", scope: { files: 3, of: 5 } },
      tests: { status: "passed", passed: 1, scope: { files: 1, of: 2 } },
    });
    expect(request).toEqual({ syntax: [undefined, ["a.py", "b.py", "test_b.py"]], tests: [undefined, ["test_b.py"]] });
  });

  it("runs nothing where nothing changed, and is not of nothing for that", async () => {
    const { request, check } = aProject(project);
    await check();
    expect(await check()).toMatchObject({
      syntax: { status: "passed", scope: { files: 0, of: 5 } },
      tests: { status: "passed", passed: 0, runner: "pytest", scope: { files: 0, of: 2 } },
    });
    expect(request.tests).toHaveLength(1);
  });

  it("keeps findings in unchanged files, and runs failed tests again", async () => {
    const { request, check, write } = aProject({ ...project, "c.py": "BROKEN", "test_c.py": "WRONG" });
    await check();
    write("a.py", "x = 2\n");
    const verdict = await check();
    expect(verdict.syntax).toMatchObject({ status: "failed", errors: [{ path: "c.py" }] });
    expect(verdict.tests).toMatchObject({ status: "failed", passed: 1, failed: 1 });
    expect(request.tests.at(-1)).toEqual(["test_b.py", "test_c.py"]);
  });

  it("remembers what failed from one incremental check to the next", async () => {
    const { request, check, write } = aProject(project);
    await check();
    write("test_b.py", "WRONG");
    write("c.py", "BROKEN");
    expect(await check()).toMatchObject({ syntax: { status: "failed" }, tests: { status: "failed" } });
    write("a.py", "x = 3\n");
    expect(await check()).toMatchObject({ syntax: { status: "failed" }, tests: { status: "failed", failed: 1 } });
    expect(request.tests.at(-1)).toEqual(["test_b.py"]);
  });

  it("looks at everything before it says of syntax that was wrong that it is right", async () => {
    const { request, check, write } = aProject({ ...project, "c.py": "BROKEN" });
    await check();
    write("c.py", "fine = 1\n");
    const verdict = await check();
    expect(verdict.syntax).toEqual({ status: "passed", errors: [] });
    expect(request.syntax).toEqual([undefined, ["c.py", "test_c.py"], undefined]);
  });

  it.each<[string, Partial<TestsResult>]>([
    ["crashed", { status: "crashed" }],
    ["timed out", { status: "timed_out" }],
    ["could not be run", { status: "not_run", reason: "no_toolchain" }],
    ["were not found", { status: "not_found" }],
    ["failed beyond what is listed", { status: "failed", failed: 600 }],
    ["ran all together", { runner: "npm test" }],
  ])("runs all tests again where they %s", async (_, more) => {
    const { request, check, write } = aProject(project, more);
    await check();
    write("c.py", "c = 1\n");
    expect((await check()).tests.scope).toBeUndefined();
    expect(request.tests.at(-1)).toBeUndefined();
  });

  it.each<[string, (project: ReturnType<typeof aProject>) => void]>([
    ["that is no code", ({ write }) => write("data.txt", "other")],
    ["that is gone", ({ remove }) => remove("c.py")],
  ])("is of everything after a change of a file %s", async (_, change) => {
    const changing = aProject({ ...project, "data.txt": "some" });
    await changing.check();
    change(changing);
    const verdict = await changing.check();
    expect([verdict.syntax.scope, verdict.tests.scope]).toEqual([undefined, undefined]);
  });

  it("is full by default, and its results are known to the next", async () => {
    const { request, check, write } = aProject(project);
    await check();
    write("c.py", "c = 1\n");
    expect((await check({})).tests.scope).toBeUndefined();
    expect(request.tests).toEqual([undefined, undefined]);
    expect((await check()).tests.scope).toEqual({ files: 0, of: 2 });
  });

  it("takes a look at some paths in between for no verdict on the rest", async () => {
    const { check, write } = aProject(project);
    await check();
    write("test_c.py", "WRONG");
    await check({ syntax: { paths: ["test_c.py"] } });
    expect(await check()).toMatchObject({ tests: { status: "failed", scope: { files: 1, of: 2 } } });
  });
});

/** What can happen to a module and to its test, as one of a few texts. */
interface TestLanguage {
  path(index: number): string;
  test(index: number): string;
  module(index: number, imports: number[], how: string): string;
  testing(index: number): string;
  more: Record<string, string>;
}

const sum = (imports: number[], call: (index: number) => string): string => ["1", ...imports.map(call)].join(" + ");

const LANGUAGES: Record<string, TestLanguage> = {
  Python: {
    path: (index) => `app/part_${index}.py`,
    test: (index) => `tests/test_${index}.py`,
    module: (index, imports, how) =>
      [
        ...imports.map((other) => `from app.part_${other} import value_${other}`),
        how === "broken" ? "def (:" : "",
        `def ${how === "renamed" ? "other" : `value_${index}`}():`,
        `    return ${how === "wrong" ? "-999" : sum(imports, (other) => `value_${other}()`)}`,
        "",
      ].join("\n"),
    testing: (index) => `import app.part_${index}\ndef test_it():\n    assert app.part_${index}.value_${index}() > 0\n`,
    more: { "app/__init__.py": "" },
  },
  JavaScript: {
    path: (index) => `src/part-${index}.js`,
    test: (index) => `test/part-${index}.test.js`,
    module: (index, imports, how) =>
      [
        ...imports.map((other) => `import { value_${other} } from "./part-${other}.js";`),
        how === "broken" ? "export const = ;" : "",
        `export const ${how === "renamed" ? "other" : `value_${index}`} = () =>`,
        `  ${how === "wrong" ? "-999" : sum(imports, (other) => `value_${other}()`)};`,
        "",
      ].join("\n"),
    testing: (index) =>
      [
        'import assert from "node:assert";',
        'import { test } from "node:test";',
        `import { value_${index} } from "../src/part-${index}.js";`,
        `test("part ${index}", () => assert(value_${index}() > 0));`,
        "",
      ].join("\n"),
    more: { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }' },
  },
};

const MODULES = 5;
const edits = fc.array(
  fc.record({ of: fc.nat(MODULES), how: fc.constantFrom("right", "right", "wrong", "broken", "renamed") }),
  { minLength: 3, maxLength: 4 },
);
const imports = fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: MODULES, maxLength: MODULES });

const wrongIn = ({ syntax, tests }: Verdict) => ({
  syntax: [syntax.status, ...new Set(syntax.errors.map(({ path, rule, message }) => [path, rule, message].join(" ")))],
  tests: [
    tests.status,
    ...tests.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [`${status} ${name}`])).toSorted(),
  ],
});

/** One more module than there are at first: an edit of that adds it. Answers how often something was left out. */
async function agreeing(language: TestLanguage, linked: number[][], changes: { of: number; how: string }[]) {
  let partial = 0;
  const links = [...linked, []].map((some, at) => (at === 0 ? [] : [...new Set(some.map((of) => of % at))]));
  const all = links.map((_, index) => index);
  const files = (index: number, how: string): [string, string][] => [
    [language.path(index), language.module(index, links[index] ?? [], how)],
    [language.test(index), language.testing(index)],
  ];
  const folder = layTree({
    ...language.more,
    ...Object.fromEntries(all.slice(0, -1).flatMap((at) => files(at, "right"))),
  });
  const evaluate = evaluatorOf();
  const request = { syntax: {}, tests: {}, timeoutMs: 60_000 };
  const memory = {};
  await evaluate(folder, { ...request, memory });
  for (const { of, how } of changes) {
    for (const [path, text] of files(of, how)) writeFileSync(join(folder, path), text);
    const part = await evaluate(folder, { ...request, memory, incremental: true });
    const whole = await evaluate(folder, request);
    expect(wrongIn(part)).toEqual(wrongIn(whole));
    expect([whole.syntax.scope, whole.tests.scope]).toEqual([undefined, undefined]);
    if (part.tests.scope) partial += 1;
  }
  return partial;
}

const RUNS = 3;

describe.each([
  ["Python", noPython || !pythonCan("import pytest")],
  ["JavaScript", false],
])("over any small project of %s modules and any edits", (name, absent) => {
  it.skipIf(absent)("an incremental check finds whatever the full one finds", async () => {
    const language = LANGUAGES[name];
    if (!language) throw new Error(name);
    let partial = 0;
    const property = fc.asyncProperty(imports, edits, async (linked, changes) => {
      partial += await agreeing(language, linked, changes);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    expect(partial).toBeGreaterThan(0);
  });
});
