/** A run that starts from a tree with red in it: judged first, known red does not block, must not grow, and can be mended. */
import { afterEach, describe, expect, it } from "vitest";
import type { Evaluator } from "../../lib/core/ports.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { removeFolders } from "../doubles/evaluation.ts";
import { aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { type Call, lastText, placeOf, turnsOf, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
afterEach(removeFolders);

const done: Call = ["complete_instruction", { summary: "done" }];

const SUM = "export const sum = (a, b) => a + b;\nexport const product = (a, b) => a + b;\n";
const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { product, sum } from "../src/sum.js";

test("adds", () => assert.equal(sum(1, 2), 3));
test("multiplies", () => assert.equal(product(2, 3), 6));
test("multiplies nothing", () => assert.equal(product(0, 3), 0));
`;
/** Two of three tests are red, and one file does not parse. */
const RED = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/sum.js": SUM,
  "src/broken.js": "export const = 1;\n",
  "test/sum.test.js": TESTS,
};
const treeOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
const starting = (files: Record<string, string> = RED) =>
  aSubmission({ options: { reflect: 0, from: true }, submission: { from: treeOf(files) } });
const reportOf = async (machine: TestMachine, id: string) =>
  JSON.parse(new TextDecoder().decode(await machine.files.get(`runs/${id}/report.json`)));

describe("a run that starts from a red tree", () => {
  it("accepts NOTES.md, says what is known red, and replays", async () => {
    const model = turnsOf([[[writeFile("NOTES.md"), ["run_checks", {}], done]]]);
    const machine = opened({ model, evaluator: realEvaluator() });
    const run = await compute(machine, await starting());
    expect(run).toMatchObject({ status: "completed", unchecked: [], knownRed: 3, testsPassed: 1, testsTotal: 1 });
    expect(run).not.toHaveProperty("toJudge");
    expect(exitCodeOf(run)).toBe(0);
    const [opening = ""] = model.requests.slice(1).map(({ messages }) => messages[1]?.content ?? "");
    expect(opening).toContain("Known red: this was red in the files before the work began.");
    expect(opening).toContain("- test/sum.test.js > multiplies\n");
    expect(opening).toContain("- src/broken.js:");
    const { events } = await look(machine, run.id);
    expect(events.filter(({ type }) => type === "baseline")).toMatchObject([{ passed: 1, failed: 2, knownRed: 3 }]);
    expect(events.filter(({ type }) => type === "instruction_accepted")).toMatchObject([{ knownRed: 3 }]);
    expect(await reportOf(machine, run.id)).toMatchObject({ knownRed: 3, tests: { passed: 1, total: 1 } });
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed).toMatchObject({ treeHash: replayed.expected, turns: run.turns });
  });

  it("shows known red apart, with what it says, so that it can be mended", async () => {
    const model = turnsOf([[[["run_checks", {}]], [writeFile("NOTES.md"), done]]]);
    await compute(opened({ model, evaluator: realEvaluator() }), await starting());
    const checked = model.requests.map(lastText).find((text) => text.includes("Known red, from before the run began"));
    expect(checked).toContain("Tests: 1 passed, 2 known red");
    expect(checked).toMatch(/FAILED test\/sum\.test\.js > multiplies\n[\s\S]*5 !== 6/);
    expect(checked).toContain("Known red: src/broken.js:1");
  });

  it("credits the instruction that mends some of it", async () => {
    const mended = SUM.replace("product = (a, b) => a + b", "product = (a, b) => a * b");
    const model = turnsOf([[[writeFile("src/sum.js", mended), done]], [[writeFile("NOTES.md"), done]]]);
    const machine = opened({ model, evaluator: realEvaluator() });
    const run = await compute(machine, await starting());
    expect(run).toMatchObject({ status: "completed", knownRed: 1, testsPassed: 3, testsTotal: 3 });
    const { instructions } = await look(machine, run.id);
    expect(instructions.map((each) => each.mended)).toEqual([
      ["test/sum.test.js > multiplies", "test/sum.test.js > multiplies nothing"],
      undefined,
    ]);
    const second = model.requests.find((request) => placeOf(request).instruction === 2);
    expect(second?.messages[1]?.content).not.toContain("> multiplies");
    expect(second?.messages[1]?.content).toContain("- src/broken.js:");
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("blocks what is red now and was not: a case, a finding, a test of its own, and what it mended before", async () => {
    const breaks: Call[][] = [
      [writeFile("src/sum.js", SUM.replace("sum = (a, b) => a + b", "sum = (a, b) => a - b"))],
      [writeFile("src/other.js", "export const = 2;\n")],
      [
        writeFile(
          "test/new.test.js",
          'import { test } from "node:test";\ntest("new", () => { throw new Error("x"); });\n',
        ),
      ],
      [
        writeFile(
          "test/sum.test.js",
          TESTS.replaceAll('test("multiplies', 'test.skip("multiplies').replace("3));", "4));"),
        ),
      ],
    ];
    for (const [at, calls] of breaks.entries()) {
      const machine = opened({ model: turnsOf([[[...calls, done]]]), evaluator: realEvaluator() });
      expect(await compute(machine, await starting()), `break ${at}`).toMatchObject({ status: "partial", pc: 1 });
    }
    const mended = SUM.replace("product = (a, b) => a + b", "product = (a, b) => a * b");
    const model = turnsOf([[[writeFile("src/sum.js", mended), done]], [[writeFile("src/sum.js", SUM), done]]]);
    const run = await compute(opened({ model, evaluator: realEvaluator() }), await starting());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 2 });
  });
});

describe("a baseline", () => {
  const red = (names: string[], more: object = {}) =>
    aVerdict({
      tests: {
        status: "failed",
        passed: 1,
        failed: names.length,
        cases: [{ name: "t > ok", status: "passed" }, ...names.map((name) => ({ name, status: "failed" as const }))],
        ...more,
      },
    });
  /** The first answer is the baseline. */
  const answering = (...verdicts: ReturnType<typeof aVerdict>[]): Evaluator => {
    let asked = 0;
    return { evaluate: async () => verdicts[Math.min(asked++, verdicts.length - 1)] ?? aVerdict({}) };
  };
  const notes = () => turnsOf([[[writeFile("NOTES.md"), done]]]);

  it("that was green blocks a case that is red now, however flaky", async () => {
    const machine = opened({ model: notes(), evaluator: answering(aVerdict({}), red(["t > flaky"])) });
    const run = await compute(machine, await starting());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", testsPassed: 1 });
    expect(run).not.toHaveProperty("knownRed");
  });

  it("that crashed leaves what is red unknown, and unknown is not green", async () => {
    const stopped = aVerdict({ tests: { status: "crashed", passed: 0 } });
    const same = await compute(opened({ model: notes(), evaluator: answering(stopped) }), await starting());
    expect(same).toMatchObject({ status: "completed", reason: "unchecked", knownRed: 1 });
    const shown = answering(stopped, red(["t > a"]));
    const revealed = await compute(opened({ model: notes(), evaluator: shown }), await starting());
    expect(revealed).toMatchObject({ status: "completed", reason: "unchecked", knownRed: 1 });
  });

  it("with a suite holds the first instruction to it", async () => {
    const machine = opened({ model: notes(), evaluator: answering(aVerdict({ tests: { passed: 9 } }), aVerdict({})) });
    expect(await compute(machine, await starting())).toMatchObject({ status: "partial", testsPassed: 9 });
    const gone = aVerdict({ tests: { status: "not_run", reason: "package_missing", passed: 0 } });
    const lost = opened({ model: notes(), evaluator: answering(aVerdict({}), gone) });
    const run = await compute(lost, await starting());
    expect(run).toMatchObject({ reason: "unchecked", turns: 4 });
  });

  it("is not made of tests that the user gave, nor where nothing is checked", async () => {
    const evaluated: string[] = [];
    const evaluator: Evaluator = {
      async evaluate({ changes }) {
        evaluated.push(changes.map(({ path, content }) => `${content ? "+" : "-"}${path}`).join());
        return aVerdict({});
      },
    };
    const tests = ["test/sum.test.js"];
    const asked = await starting();
    await compute(opened({ model: notes(), evaluator }), { ...asked, tests });
    expect(evaluated[0]).toBe("-test/sum.test.js");
    const alone = { ...asked, from: treeOf({ "test/sum.test.js": TESTS }), tests };
    expect(await opened({ model: notes(), evaluator }).submit(alone)).not.toHaveProperty("toJudge");
  });

  it("is made once, at whatever call the process dies", async () => {
    const homes: TestMachine[] = [];
    const submission = await starting();
    const evaluator: Evaluator = { evaluate: async () => red(["t > a", "t > b"]) };
    const mortal = { submission, evaluator, model: notes, homes };
    const calm = await throughDeaths(mortal, []);
    for (const call of sampledCalls(1, calm.boundaries)) {
      const { run, hash, events } = await throughDeaths(mortal, [{ call, when: call % 12 < 6 ? "before" : "after" }]);
      expect(run, `call ${call}`).toMatchObject({ status: "completed", knownRed: 2 });
      expect(hash).toBe(calm.hash);
      expect(events.filter(({ type }) => type === "baseline")).toHaveLength(1);
    }
    for (const machine of homes) machine.removeHome();
  });
});
