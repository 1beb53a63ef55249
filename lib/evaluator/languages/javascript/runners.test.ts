import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, newFolder, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { noEnvironment } from "../../language.ts";
import { planRunner, runnerCall } from "./runners.ts";

afterAll(removeFolders);

const manifest = (test: string): Files => ({ "package.json": JSON.stringify({ scripts: { test } }) });

const planned = (test: string, chosen: string[] = []) => {
  const call = runnerCall(test);
  const plan =
    call && planRunner(call, { scripts: "/scripts", installed: (name) => `node_modules/.bin/${name}`, chosen });
  return plan && { ...plan, argv: [...plan.argv, ...plan.reporting("/report", "/scripts")] };
};
const VITEST = ["--reporter=default", "--reporter=json", "--outputFile.json=/report"];
const JEST = ["/scripts/jest-run.cjs", "node_modules/.bin/jest"];
const MOCHA = ["--reporter=/scripts/mocha-report.cjs", "-O", "output=/report"];

describe("a script that calls a runner", () => {
  it.each<[string, string[]]>([
    ["vitest", ["node_modules/.bin/vitest", "run", ...VITEST]],
    ["vitest watch --ui", ["node_modules/.bin/vitest", "run", ...VITEST]],
    ["npx --yes vitest run --coverage", ["node_modules/.bin/vitest", "run", "--coverage", ...VITEST]],
    ["vitest run src --reporter verbose --outputFile=a", ["node_modules/.bin/vitest", "run", "src", ...VITEST]],
    ["jest --watchAll -i", [...JEST, "-i", "--ci", "--json", "--outputFile=/report"]],
    [
      "node --experimental-vm-modules node_modules/jest/bin/jest.js",
      ["--experimental-vm-modules", ...JEST, "--ci", "--json", "--outputFile=/report"],
    ],
    ["mocha -R dot 'spec/**/*.js' --exit", ["node_modules/.bin/mocha", "spec/**/*.js", "--exit", ...MOCHA]],
    ["mocha --reporter=list --watch", ["node_modules/.bin/mocha", ...MOCHA]],
  ])("%s is run once and reports each case", (script, argv) => expect(planned(script)?.argv).toEqual(argv));

  it("keeps the settings that stand before it", () => {
    expect(planned("cross-env NODE_ENV=test A=b jest")?.env).toEqual({ NODE_ENV: "test", A: "b" });
  });

  it("runs the files that were asked for alone", () => {
    expect(planned("vitest run", ["b.test.ts"])?.argv).toContain("b.test.ts");
    expect(planned("jest", ["b.test.ts"])?.argv).toEqual(expect.arrayContaining(["--runTestsByPath", "b.test.ts"]));
  });

  it.each([
    "tsc && vitest run",
    "vitest bench",
    "HOME=/ vitest",
    "L2MAC_REPORT=a jest",
    "node test.js",
    "ava",
    "vitest run > out.txt",
    "constructor",
  ])("%s is left as it is", (script) => expect(planned(script)).toBeUndefined());
});

/** A stand-in for a runner: a program of its name that writes the report that the real one documents. */
function standIn(name: string, report: object | undefined, exit: number): { nodeModules: string } {
  const nodeModules = newFolder();
  mkdirSync(join(nodeModules, ".bin"));
  const path = join(nodeModules, ".bin", name);
  const write = report
    ? `const path = process.argv.join(" ").match(/(?:--outputFile=|output=)(\\S+)/)[1];
       require("node:fs").writeFileSync(path, ${JSON.stringify(JSON.stringify(report))});`
    : "console.error(\"Error: Cannot find module 'left-pad'\");";
  writeFileSync(path, `${write}\nprocess.exit(${exit});\n`);
  chmodSync(path, 0o755);
  return { nodeModules };
}

const testsOf = async (files: Files, { nodeModules }: { nodeModules: string }) => {
  const environment = { ...noEnvironment, nodeModules: [{ below: "", folder: nodeModules }] };
  return (await evaluation(files, { tests: {}, environment }, { toolchain })).tests;
};
const shown = (cases: { name: string; status: string }[]) => cases.map(({ name, status }) => `${status} ${name}`);

const jestFile = (name: string, status: string, assertionResults: object[], message = "") => ({
  ...{ name, status, assertionResults, message },
});
const assertion = (title: string, status: string, failureMessages: string[] = []) => ({
  ...{ ancestorTitles: ["sums"], title, status, duration: 20, failureMessages },
});

describe("what jest reports (a stand-in writes it)", () => {
  it("counts case by case", async () => {
    const results = [
      assertion("adds", "passed"),
      assertion("takes away", "failed", ["Error: 1 is not 2"]),
      assertion("later", "pending"),
      assertion("some day", "todo"),
    ];
    const runner = standIn("jest", { testResults: [jestFile("a.test.js", "failed", results)] }, 1);
    const tests = await testsOf({ ...manifest("jest"), "a.test.js": "" }, runner);
    expect(tests).toMatchObject({ status: "failed", runner: "jest", passed: 1, failed: 1, errors: 0, skipped: 2 });
    expect(shown(tests.cases)).toEqual([
      "passed a.test.js > sums > adds",
      "failed a.test.js > sums > takes away",
      "skipped a.test.js > sums > later",
      "skipped a.test.js > sums > some day",
    ]);
    expect(tests.cases[1]).toMatchObject({ message: "Error: 1 is not 2", seconds: 0.02 });
  });

  it("names a file that broke, and the package that it lacks", async () => {
    const message = "Test suite failed to run\n\nCannot find module 'left-pad' from 'a.test.js'";
    const runner = standIn("jest", { testResults: [jestFile("a.test.js", "failed", [], message)] }, 1);
    const files = {
      "package.json": '{ "scripts": { "test": "jest" }, "dependencies": { "left-pad": "1" } }',
      "a.test.js": "",
    };
    const tests = await testsOf(files, runner);
    expect(tests).toMatchObject({ status: "not_run", reason: "package_missing", errors: 1 });
  });

  it("is not believed where the runner ended otherwise", async () => {
    const all = { testResults: [jestFile("a.test.js", "passed", [assertion("adds", "passed")])] };
    expect(await testsOf({ ...manifest("jest"), "a.js": "" }, standIn("jest", all, 1))).toMatchObject({
      status: "failed",
    });
  });

  it("is believed where only with our reporter the runner ended otherwise", async () => {
    const all = { testResults: [jestFile("a.test.js", "passed", [assertion("adds", "passed")])] };
    const runner = standIn("jest", all, 1);
    const path = join(runner.nodeModules, ".bin/jest");
    writeFileSync(path, `#!${process.execPath}\nif (process.argv.length > 2) {\n${readFileSync(path, "utf8")}}\n`);
    expect(await testsOf({ ...manifest("jest"), "a.js": "" }, runner)).toMatchObject({ status: "passed", passed: 1 });
  });

  it("is missing where only the plain command is green: unchecked, and no case counts for all of them", async () => {
    const runner = standIn("jest", undefined, 0);
    writeFileSync(
      join(runner.nodeModules, ".bin/jest"),
      `#!${process.execPath}\nif (process.argv.length > 2) { console.error("unknown option"); process.exit(1); }\n`,
    );
    expect(await testsOf({ ...manifest("jest"), "a.js": "" }, runner)).toMatchObject({
      ...{ status: "not_run", reason: "no_toolchain", passed: 0, cases: [] },
      detail: expect.stringContaining("jest that reports each case"),
    });
  });

  it("is nothing where there are no tests", async () => {
    const tests = await testsOf({ ...manifest("jest"), "a.js": "" }, standIn("jest", { testResults: [] }, 1));
    expect(tests).toMatchObject({ status: "not_found", passed: 0 });
  });

  it("is missed where it ended well without any", async () => {
    expect(await testsOf({ ...manifest("jest"), "a.js": "" }, standIn("jest", { nonsense: true }, 0))).toMatchObject({
      status: "crashed",
    });
  });
});

describe("what mocha reports (a stand-in writes it)", () => {
  const of = (fullTitle: string, err: object = {}) => ({
    title: fullTitle,
    fullTitle,
    file: "spec/a.js",
    duration: 5,
    err,
  });

  it("counts case by case, a hook that fails as an error", async () => {
    const report = {
      passes: [of("sums adds")],
      failures: [of("sums takes away", { message: "no" }), of('sums "before all" hook', { stack: "Error: no" })],
      pending: [of("sums later")],
    };
    const tests = await testsOf({ ...manifest("mocha spec"), "spec/a.js": "" }, standIn("mocha", report, 2));
    expect(tests).toMatchObject({ status: "failed", runner: "mocha", passed: 1, failed: 1, errors: 1, skipped: 1 });
    expect(shown(tests.cases)).toContain("passed spec/a.js > sums adds");
  });

  it("is written by our reporter, which every version of mocha loads", async () => {
    const nodeModules = newFolder();
    mkdirSync(join(nodeModules, ".bin"));
    const plays = `const [, reporter] = process.argv.join(" ").match(/--reporter=(\\S+)/);
      const [, output] = process.argv.join(" ").match(/-O output=(\\S+)/);
      const runner = new (require("node:events").EventEmitter)();
      const test = (title) => ({ fullTitle: () => title, file: process.cwd() + "/spec/a.js", duration: 5 });
      new (require(reporter))(runner, { reporterOptions: { output } });
      runner.emit("pass", test("sums adds"));
      runner.emit("fail", test("sums takes away"), new Error("1 is not 2"));
      runner.emit("fail", test("sums throws nothing"));
      runner.emit("pending", test("sums later"));
      runner.emit("end");
      process.exitCode = 2;`;
    writeFileSync(join(nodeModules, ".bin/mocha"), plays);
    const tests = await testsOf({ ...manifest("mocha spec"), "spec/a.js": "" }, { nodeModules });
    expect(tests).toMatchObject({ status: "failed", runner: "mocha", passed: 1, failed: 2, errors: 0, skipped: 1 });
    expect(tests.cases.map(({ message }) => message?.split("\n")[0])).toContain("Error: 1 is not 2");
  });

  it("is what it printed where it broke before it could report", async () => {
    const tests = await testsOf({ ...manifest("mocha"), "spec/a.js": "" }, standIn("mocha", undefined, 1));
    expect(tests).toMatchObject({ status: "failed", errors: 1 });
    expect(tests.cases[0]?.message).toContain("left-pad");
  });
});

const installed = process.env.L2MAC_RUNNERS;

describe.skipIf(installed === undefined)(
  "the runners themselves (need L2MAC_RUNNERS, a node_modules with them)",
  () => {
    const body =
      'describe("sums", () => { it("adds", () => {}); it("fails", () => { throw new Error("no"); }); it.skip("later"); });\n';

    it.each(["jest", "mocha *.test.js"])("%s counts case by case", async (script) => {
      const files = {
        ...manifest(script),
        "a.test.js": body.replace('it.skip("later")', 'it.skip("later", () => {})'),
      };
      const tests = await testsOf(files, { nodeModules: installed ?? "" });
      expect(tests).toMatchObject({ status: "failed", passed: 1, failed: 1, errors: 0, skipped: 1 });
      expect(shown(tests.cases)).toContain(
        script === "jest" ? "passed a.test.js > sums > adds" : "passed a.test.js > sums adds",
      );
    });

    it("jest leaves its options out of what tests of an argument parser read", async () => {
      const exits = 'if (process.argv.length > 2) { console.error("error: unknown option"); process.exit(1); }';
      const parses = `it("parses", () => { ${exits} expect(process.env.NODE_ENV).toBe("test"); });\n`;
      const files = { ...manifest("jest --runInBand"), "a.test.js": parses, "b.test.js": 'it("too", () => {});\n' };
      const tests = await testsOf(files, { nodeModules: installed ?? "" });
      expect(tests).toMatchObject({ status: "passed", runner: "jest", passed: 2 });
    });
  },
);
