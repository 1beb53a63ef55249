/** Tests that the user gave: they never change, an instruction before the last may leave some failing, the last may not. */
import { afterAll, describe, expect, it } from "vitest";
import { startingFiles } from "../../lib/control/gate/user-tests.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { look } from "../doubles/deaths.ts";
import { noPython, removeFolders } from "../doubles/evaluation.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
const evaluator = realEvaluator();
afterAll(() => {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
  removeFolders();
});

type Call = [name: string, args: object];
const write = (files: Record<string, string>): Call => [
  "write_files",
  { files: Object.entries(files).map(([path, content]) => ({ path, content })) },
];
const done: Call = ["complete_instruction", { summary: "done" }];

/** Turns of each instruction; completing goes on for ever. */
const scripted =
  (program: Call[][][]) =>
  (request: ModelRequest): Said => {
    const { planning, instruction, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(program.length) }]] };
    return { calls: program[instruction - 1]?.[answers] ?? [done] };
  };

const bytes = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const));

async function started(
  { program, tests, from }: { program: Call[][][]; tests: Record<string, string>; from?: Record<string, string> },
  options: Partial<RunOptions> = {},
) {
  const model = scriptedModel(scripted(program));
  const machine = aMachine({ model, evaluator });
  machines.push(machine);
  const { codebase: pack } = await builtInPacks();
  const start = startingFiles({ from: from && bytes(from), tests: bytes(tests), pack, runTests: true });
  const submission = await aSubmission({ options: { reflect: 0, from: true, ...options }, submission: start });
  return { model, machine, run: await compute(machine, submission) };
}

const test = (name: string): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${name} } from "../src/${name}.js";

test("${name} of two", () => assert.equal(${name}(6, 3), ${name === "sum" ? 9 : 2}));
test("${name} of one", () => assert.equal(${name}(6, 1), ${name === "sum" ? 7 : 6}));
`;
const TESTS = { "given/sum.test.js": test("sum"), "given/ratio.test.js": test("ratio") };
const sum = { "src/sum.js": "export const sum = (a, b) => a + b;\n", "package.json": '{ "type": "module" }\n' };
const ownTest = test("sum").replaceAll("of", "from");
const ratio = { "src/ratio.js": "export const ratio = (a, b) => a / b;\n" };

describe("tests that the user gave", () => {
  it("fail until their code is there: earlier instructions are accepted without them, the last one only with all", async () => {
    const program = [[[write({ ...sum, "test/own.test.js": ownTest })]], [[done], [write(ratio)]]];
    const { model, machine, run } = await started({ program, tests: TESTS });
    expect(run).toMatchObject({ status: "completed", givenTests: { passed: 4, total: 4 }, testsPassed: 6 });
    const { events, tree } = await look(machine, run.id);
    const accepted = events.filter(({ type }) => type === "instruction_accepted");
    expect(accepted).toMatchObject([
      { unchecked: false, given: { passed: 2, total: 3 } },
      { unchecked: false, given: { passed: 4, total: 4 } },
    ]);
    expect(tree).toMatchObject(TESTS);
    const texts = model.requests.map(lastText);
    expect(texts.find((text) => text.includes("tests must be put right"))).toContain("ratio");
    const opening = model.requests[1]?.messages.map(({ content }) => content).join("\n");
    expect(opening).toContain("tests that the user gave, and nobody can change them");
    expect(opening).toContain("given/ratio.test.js");
    const second = model.requests.find((request) => placeOf(request).instruction === 2);
    expect(JSON.stringify(second?.messages)).toContain("Given tests: 2 of 3 pass so far.");
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("cannot be written, edited, deleted, amended, renamed by case, or put below a file of their folder's name", async () => {
    const path = "given/sum.test.js";
    const tries: Call[] = [
      write({ [path]: "" }),
      ["edit_file", { path, edits: [{ find: "9", replace: "8" }] }],
      ["delete_files", { paths: [path] }],
      ["move_files", { moves: [{ from: path, to: "given/away.js" }] }],
      ["amend_test", { path, reason: "it is too strict" }],
      write({ "given/SUM.test.js": "" }),
      write({ given: "a file" }),
      write({ [`${path}/x.js`]: "" }),
    ];
    const { model, machine, run } = await started({
      program: [[[...tries, write({ ...sum, ...ratio })]]],
      tests: TESTS,
    });
    const said = model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    expect(said?.slice(0, tries.length)).toEqual([
      ...[0, 1, 2, 3].map(() => expect.stringContaining(`${path} was given by the user, it cannot be changed`)),
      expect.stringContaining(`${path} was given by the user: it is never amended`),
      expect.stringContaining("given/SUM.test.js was given by the user, it cannot be changed"),
      expect.stringContaining("given is a folder"),
      expect.stringContaining(`${path} is a file`),
    ]);
    expect(run.status).toBe("completed");
    expect((await look(machine, run.id)).tree).toMatchObject(TESTS);
  });

  it("are not changed by what a command writes and is kept; the rest of it is, in the replay too", async () => {
    const files = [...Object.entries({ ...sum, ...ratio }), ["given/sum.test.js", ""], ["notes.txt", "no"]];
    const script = `const { mkdirSync, writeFileSync } = require("node:fs"); mkdirSync("src", { recursive: true });
      for (const [path, text] of ${JSON.stringify(files)}) writeFileSync(path, text);`;
    const generate: Call = ["run_command", { argv: ["node", "-e", script], keep: ["src", "given/**", "package.json"] }];
    const { model, machine, run } = await started({ program: [[[generate]]], tests: TESTS });
    expect(run.status).toBe("completed");
    const said = JSON.stringify(model.requests.at(-1)?.messages);
    expect(said).toContain("Kept package.json, src/ratio.js, src/sum.js. Its other changes to files are discarded.");
    expect(said).toContain("Not kept: given/sum.test.js was given by the user, it cannot be changed");
    const { tree } = await look(machine, run.id);
    expect(tree).toMatchObject({ ...TESTS, ...sum, ...ratio });
    expect(Object.keys(tree)).not.toContain("notes.txt");
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed.treeHash).toBe(replayed.expected);
  });

  it("hold the last instruction until all pass, and its tests of its own do not stand in for them", async () => {
    const program = [[[write({ ...sum, "test/own.test.js": ownTest })]]];
    const { run } = await started({ program, tests: TESTS });
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 1 });
  });

  it("that passed once must pass from then on", async () => {
    const worse = { "src/sum.js": "export const sum = (a, b) => a - b;\n" };
    const program = [[[write(sum)]], [[write(worse)]], [[write({ ...sum, ...ratio })]]];
    const { model, run } = await started({ program, tests: TESTS });
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 2 });
    const refused = model.requests.map(lastText).find((text) => text.includes("given tests must be put right"));
    expect(refused).toContain("2 passed in the last accepted tree, and 0 pass now");
  });

  it("do not stand in for what the run's own tests show: those must pass at every instruction", async () => {
    const failing = { "test/own.test.js": ownTest.replace("9", "10") };
    const { model, run } = await started({ program: [[[write({ ...sum, ...failing })]], []], tests: TESTS });
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 1 });
    const refused = model.requests.map(lastText).find((text) => text.includes("not accepted yet"));
    expect(refused).toContain("Checked without the tests that the user gave");
    expect(refused).not.toContain("ratio.test.js");
  });

  it("win over a file of the same path to start from", async () => {
    const from = { ...sum, "given/sum.test.js": "throw new Error('old');\n" };
    const { machine, run } = await started({ program: [[[write(ratio)]]], tests: TESTS, from });
    expect(run.status).toBe("completed");
    expect((await look(machine, run.id)).tree).toMatchObject(TESTS);
  });

  it.skipIf(noPython)("are run by their names at the end, where settings keep them from being found", async () => {
    const tests = {
      "accept/test_total.py": "from total import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    };
    const hiding = {
      "total.py": "def total(items):\n    return 7\n",
      "tests/test_other.py": "def test_other():\n    assert True\n",
      "pytest.ini": "[pytest]\ntestpaths = tests\n",
    };
    const allowed: Call = ["amend_test", { path: "pytest.ini", reason: "tests lie in tests" }];
    const { model, run } = await started({
      program: [[[write(hiding), allowed]]],
      tests,
    });
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 1 });
    const refused = model.requests.map(lastText).find((text) => text.includes("given tests must be put right"));
    expect(refused).toContain("were not run with the others");
    const { "tests/test_other.py": _, ...noneOfItsOwn } = hiding;
    const empty = await started({ program: [[[write(noneOfItsOwn), allowed]]], tests });
    expect(empty.run).toMatchObject({ status: "partial", reason: "trapped", pc: 1 });
    const good = { "total.py": "total = sum\n" };
    const mended = await started({ program: [[[write({ ...hiding, ...good }), allowed]]], tests });
    expect(mended.run).toMatchObject({ status: "completed" });
  });

  it("are not missed in what they share: helper files hold no tests", async () => {
    const shared = { "test/helper.js": "export const three = () => 3;\n" };
    const using = test("ratio").replace("ratio(6, 3)", "ratio(6, three())");
    const tests = { ...shared, "test/ratio.test.js": `import { three } from "./helper.js";\n${using}` };
    const { machine, run } = await started({ program: [[[write({ ...sum, ...ratio })]]], tests });
    expect(run).toMatchObject({ status: "completed", givenTests: { passed: 2, total: 2 } });
    const accepted = (await look(machine, run.id)).events.filter(({ type }) => type === "instruction_accepted");
    expect(accepted).toMatchObject([{ unchecked: false }]);
  });

  it.skipIf(noPython)("are not missed in helpers that are called as if they were tests", async () => {
    const tests = {
      "tests/test_helpers.py": "def items():\n    return [1]\n",
      "tests/test_total.py": "from total import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    };
    const { machine, run } = await started({ program: [[[write({ "total.py": "total = sum\n" })]]], tests });
    const accepted = (await look(machine, run.id)).events.filter(({ type }) => type === "instruction_accepted");
    expect([run.status, accepted]).toMatchObject(["completed", [{ unchecked: false }]]);
  });

  it("are not green where one was not seen to run, by its name neither", async () => {
    const later = `import { describe, it } from "node:test";
describe("later", () => {
  if (process.env.AT_NIGHT) it("sums", () => {});
});
`;
    const tests = { "given/sum.test.js": test("sum"), "given/later.test.js": later };
    const { machine, run } = await started({ program: [[[write(sum)]]], tests });
    const accepted = (await look(machine, run.id)).events.filter(({ type }) => type === "instruction_accepted");
    expect([run.status, accepted]).toMatchObject(["completed", [{ unchecked: true }]]);
  });

  it("do not count as tests that the run had: without some of its own it may go on until the last", async () => {
    const program = [[[write(sum)]], [[write({ "README.md": "# Sums\n" })]], [[write(ratio)]]];
    const { run } = await started({ program, tests: TESTS });
    expect(run).toMatchObject({ status: "completed", givenTests: { passed: 4, total: 4 } });
  });

  it("that need a package which cannot be had leave what the run wrote itself to be seen alone", async () => {
    const needing = `require("no-such-thing");\nrequire("node:test")("needs it", () => {});\n`;
    const tests = { "given/needing.test.cjs": needing };
    const manifest = { "package.json": '{ "type": "module", "dependencies": { "no-such-thing": "1.0.0" } }\n' };
    const program = [[[write({ ...sum, ...manifest, "test/own.test.js": ownTest })]], []];
    const { machine, run } = await started({ program, tests });
    const accepted = (await look(machine, run.id)).events.filter(({ type }) => type === "instruction_accepted");
    expect(accepted).toMatchObject([{ unchecked: false }, { unchecked: true }]);
  });

  it("are refused where no tests are run", async () => {
    const { codebase, book } = await builtInPacks();
    const tests = bytes(TESTS);
    expect(() => startingFiles({ tests, pack: codebase, runTests: false })).toThrow(/running tests is turned off/);
    expect(() => startingFiles({ tests, pack: book, runTests: true })).toThrow(/no tests are run/);
    const from = bytes({ "Given/sum.test.js": "" });
    expect(() => startingFiles({ from, tests, pack: codebase, runTests: true })).toThrow(/differ only in case/);
  });
});
