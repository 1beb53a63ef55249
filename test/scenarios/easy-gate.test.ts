/** The gate does not say yes too easily: nothing done, nothing executed, and checks that cannot run any more. */
import { afterEach, describe, expect, it } from "vitest";
import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { look } from "../doubles/deaths.ts";
import { removeFolders } from "../doubles/evaluation.ts";
import { alwaysGreen, aSubmission, aVerdict, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { type Call, lastText, turnsOf, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
afterEach(removeFolders);

const done: Call = ["complete_instruction", { summary: "All of it is implemented and tested." }];

const submission = () => aSubmission({ options: { reflect: 0 } });

describe("a model that does nothing and says that it is done", () => {
  it("is refused once in each instruction, and the run does not end with exit code 0", async () => {
    const model = turnsOf([[], [], []]);
    const machine = opened({ model, evaluator: realEvaluator() });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", reason: "unchecked", files: 0, turns: 7 });
    expect(run.unchecked).toEqual(["the result: no file was written"]);
    expect(exitCodeOf(run)).toBe(1);
    expect(lastText(model.requests[2] as ModelRequest)).toContain("where it was done already");
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ unchanged }) => unchanged)).toEqual([true, true, true]);
    const report = JSON.parse(new TextDecoder().decode(await machine.files.get(`runs/${run.id}/report.json`)));
    expect(report.instructions[0].unchanged).toBe(true);
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("does not end with exit code 0 where the run started from files, however green they are", async () => {
    const from = new Map([["a.txt", new TextEncoder().encode("text\n")]]);
    const asked = await aSubmission({ options: { reflect: 0, from: true }, submission: { from } });
    const run = await compute(opened({ model: turnsOf([[], []]), evaluator: alwaysGreen }), asked);
    expect(run).toMatchObject({ reason: "unchecked", unchecked: ["the result: nothing was changed"] });
  });

  it("may do so in one instruction among others", async () => {
    const model = turnsOf([[[writeFile("a.txt"), done]], []]);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", unchecked: [], turns: 4 });
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ unchanged }) => unchanged)).toEqual([undefined, true]);
  });

  it("changed nothing also where it took back what it wrote", async () => {
    const model = turnsOf([[[writeFile("a.txt"), ["delete_files", { paths: ["a.txt"] }], done]]]);
    const run = await compute(opened({ model, evaluator: alwaysGreen }), await submission());
    expect(run).toMatchObject({ files: 0, turns: 3, reason: "unchecked" });
  });
});

describe("files of which nothing was executed", () => {
  it("are no completed code", async () => {
    const untested = aVerdict({ tests: { status: "not_run", reason: "nothing_to_check", passed: 0 } });
    const model = () => turnsOf([[[writeFile("index.html", "<p>Hello</p>\n"), done]]]);
    const machine = opened({ model: model(), evaluator: { evaluate: async () => untested } });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", reason: "unchecked", files: 1 });
    expect(run.unchecked).toEqual([expect.stringContaining("nothing of it was executed")]);
    // Of text alone there is nothing to execute.
    const text = await compute(opened({ model: model() }), await submission());
    expect(text).toMatchObject({ status: "completed", unchecked: [] });
  });
});

describe("checks that ran before and cannot run any more", () => {
  const missing: Verdict = {
    ...aVerdict({ tests: { status: "not_run", reason: "package_missing", detail: "oracledb", passed: 0 } }),
    missingPackages: ["oracledb: no wheel"],
  };
  /** Green, until the import of a package that is not to be had is written. */
  const evaluator: Evaluator = {
    evaluate: async ({ changes }) =>
      changes.some(({ content }) => content && new TextDecoder().decode(content).includes("oracledb"))
        ? missing
        : aVerdict({ tests: { passed: 40 } }),
  };
  const first: Call[][] = [[writeFile("app.py"), done]];

  it("block with a remedy, and are accepted once they are mended", async () => {
    const model = turnsOf([
      first,
      [
        [writeFile("db.py", "import oracledb\n"), done],
        [writeFile("db.py", "import sqlite3\n"), done],
      ],
    ]);
    const run = await compute(opened({ model, evaluator }), await submission());
    expect(run).toMatchObject({ status: "completed", unchecked: [], testsPassed: 40 });
    const refused = model.requests.map(lastText).find((text) => text.includes("none can run"));
    expect(refused).toContain("a package is missing: oracledb");
    expect(refused).toContain("import the package only where it is used");
  });

  it("are accepted as unchecked after two refusals on the same tree, and after any number on others never", async () => {
    const insisting = turnsOf([first, [[writeFile("db.py", "import oracledb\n"), done], [done], [done]]]);
    const machine = opened({ model: insisting, evaluator });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", reason: "unchecked", turns: 5 });
    expect(run.unchecked).toEqual([expect.stringMatching(/^tests: ran before, .*package_missing \(oracledb\)/)]);
    expect((await machine.replay(run.id)).difference).toBeUndefined();

    const busy = Array.from({ length: 45 }, (_, at): Call[] => [writeFile("db.py", `import oracledb # ${at}\n`), done]);
    const trapped = await compute(opened({ model: turnsOf([first, busy]), evaluator }), await submission());
    expect(trapped).toMatchObject({ status: "partial", reason: "trapped", pc: 2 });
  });
});
