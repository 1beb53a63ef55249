/** Independent evidence: an examiner writes the checks before any code, and what an instruction proves itself does not count. */
import { describe, expect, it } from "vitest";
import { STUB_VALUES } from "../../lib/core/evidence/stubs/stub-file.ts";
import type { EvaluationRequest, ModelRequest } from "../../lib/core/ports.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import {
  check,
  code,
  done,
  evidenceOf,
  examined,
  program,
  prove,
  requirements,
  submission,
  write,
} from "../doubles/evidence-runs.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const checking = (name: string, requirement: string, wants = "return 1"): Call[] => [
  write(check(name, wants)),
  prove(requirement, `test/${name}.test.js`),
];
const firstOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

async function ran(count: number, checks: Call[][], turns: Call[][][]) {
  const model = examined(checks, turns);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const run = await compute(machine, await submission(count, "independent"));
  return { run, machine, model, text: model.requests.map(lastText).join("\n----\n") };
}

describe("a run with an examiner", () => {
  it("is completed where the work meets the checks that were written before it", async () => {
    const { run, machine, model } = await ran(
      2,
      [checking("a", "R1"), checking("b", "R2")],
      [[[write(code("a", "return 1;"))]], [[write(code("b", "return 1;"))]]],
    );
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2, unproven: [] } });
    expect(await evidenceOf(machine, run.id)).toEqual([
      ["R1#1", 2, "passed"],
      ["R2#1", 2, "passed"],
    ]);
    const [first] = await machine.registry.evidence(run.id);
    expect(first).toMatchObject({
      ...{ instruction: 0, independent: true, metIn: 1, base: { status: "missing" }, work: { status: "passed" } },
      stubs: { status: "refuted" },
    });
    expect(firstOf(model.requests[0] as ModelRequest)).toContain("You are the examiner");
    expect(firstOf(model.requests[3] as ModelRequest)).toContain(
      "R1: test/a.test.js\nand those of 1 other requirements",
    );
  });

  it("ends partial where the work does not meet a check, and names it; the instruction is refused once", async () => {
    const { run, model, machine } = await ran(
      2,
      [checking("a", "R1"), checking("b", "R2")],
      [[[write(code("a", "return 2;"))]], [[write(code("b", "return 1;"))]]],
    );
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 1, total: 2 } });
    expect(run.detail).toMatch(/Not proven: R1 \(R1#1 red: .*Expected values to be strictly equal\)\./);
    const refused = model.requests
      .map(lastText)
      .filter((text) => text.includes("requirements that no evidence proves"));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain("written by the examiner and are locked. Change the code until they pass");
    expect((await look(machine, run.id)).instructions.map(({ unproven }) => unproven)).toEqual([["R1"], undefined]);
  });

  it("does not take an engineer's own green test for proof", async () => {
    const { run, machine, text } = await ran(
      1,
      [checking("a", "R1", "return 7")],
      [
        [
          [write({ ...code("a", "return 1;"), ...code("own", "return 1;"), ...check("own", "return 1") })],
          [prove("R1", "test/own.test.js")],
        ],
      ],
    );
    expect(text).toContain(
      "test/own.test.js is noted for R1 with grade E2, by its author: it proves nothing in this run.",
    );
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0, total: 1 } });
    expect((await machine.registry.evidence(run.id)).map(({ grade, independent }) => [grade, independent])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it("names the requirements of which the examiner wrote no check, after asking for them once", async () => {
    const { run, model, text } = await ran(2, [checking("a", "R1")], [[[write(code("a", "return 1;"))]], []]);
    expect(run.proven).toMatchObject({
      ...{ proven: 1, total: 2 },
      unproven: [{ requirement: "R2", why: "the examiner wrote no check" }],
    });
    expect(text.match(/Requirements without a check.* R2/g)).toHaveLength(1);
    expect(text).toContain("Where the examiner wrote no check, only a test that the user gave can prove");
    expect(text).not.toContain("Change the code until they pass");
    expect(
      model.requests
        .slice(0, 3)
        .map(firstOf)
        .every((said) => said.includes("You are the examiner")),
    ).toBe(true);
  });

  it("refuses what an examiner must not do: a check that is green, a command, a passage, and files that are no tests", async () => {
    const { run, text } = await ran(
      1,
      [
        [write({ "src/a.js": "export const a = 1;\n", "package.json": "{}" })],
        [["prove", { requirement: "R1", argv: ["show", "src/a.js"] }]],
        [["prove", { requirement: "R1", passages: [{ path: "README.md", words: "Run it with node and a number." }] }]],
        [write({ "test/helpers.txt": "shared\n" }), ["delete_files", { paths: ["test/none.js"] }]],
        ...[checking("a", "R1")],
        // It is another one than was declared.
        [write(check("a", "return 2"))],
        [["complete_instruction", { summary: "done" }]],
        checking("a", "R1"),
      ],
      [[[write(code("a", "return 1;"))]]],
    );
    expect(text).toContain("src/a.js is no test file. The examiner writes test files of its own");
    expect(text).toContain("the check is a command. Name tests that you have written.");
    expect(text).toContain("the check reads documents, and is executed by no test runner. Name tests");
    expect(text).toContain("whose files changed since it was declared: R1");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1 } });
  });
});

describe("the checks of an examiner", () => {
  const amend: Call = ["amend_test", { path: "test/a.test.js", reason: "the task says 2" }];

  it("are locked: they are neither changed, nor deleted, nor moved", async () => {
    const { run, text } = await ran(
      1,
      [checking("a", "R1")],
      [
        [
          [write({ ...code("a", "return 2;"), ...check("a", "return 2") })],
          [["delete_files", { paths: ["test/a.test.js"] }]],
          [["move_files", { moves: [{ from: "test/a.test.js", to: "docs/a.txt" }] }]],
          [["edit_file", { path: "test/a.test.js", edits: [{ find: "return 1", replace: "return 2" }] }]],
        ],
      ],
    );
    expect(text.match(/test\/a\.test\.js was written by the examiner, and is locked/g)).toHaveLength(4);
    expect(text).toContain("call amend_test with the reason first; it proves nothing then");
    expect(run).toMatchObject({ status: "partial", reason: "unproven" });
  });

  it("are not overridden by new files: neither written, nor moved there, nor amended", async () => {
    const helper = { "test/lib/index.js": "shared\n" };
    const { run, text } = await ran(
      1,
      [[write({ ...check("a", "return 1"), ...helper }), prove("R1", "test/a.test.js")]],
      [
        [
          [write({ ...code("a", "return 1;"), "test/lib.js": "own\n" })],
          [write({ "own.js": "own\n" }), ["move_files", { moves: [{ from: "own.js", to: "test/lib/index.cjs" }] }]],
          [["amend_test", { path: "test/names.js", reason: "mine" }], write({ "test/names.js": "own\n" })],
          [write({ "test/own/names.js": "own\n" })],
        ],
      ],
    );
    expect(text.match(/\S+ could be loaded in place of what the examiner wrote/g)).toEqual(
      ["test/lib.js", "test/lib/index.cjs", "test/names.js"].map(
        (path) => `${path} could be loaded in place of what the examiner wrote`,
      ),
    );
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1 } });
  });

  it("are not independent any more once they are amended, and the manifest has the reason", async () => {
    const { run, machine } = await ran(
      1,
      [checking("a", "R1")],
      [[[amend, write({ ...code("a", "return 2;"), ...check("a", "return 2") })], [prove("R1", "test/a.test.js")]]],
    );
    expect(run).toMatchObject({ status: "partial", reason: "unproven", amended: 1 });
    expect(run.detail).toContain("the examiner's check was amended, so that it is not independent any more");
    const bytes = await machine.files.get(`runs/${run.id}/manifest.json`);
    const { payload } = JSON.parse(new TextDecoder().decode(bytes)) as { payload: string };
    expect(atob(payload)).toContain('"reason":"the task says 2"');
    expect(atob(payload)).toContain('"independent":true');
  });

  it("are graded as soon as an instruction names them in prove, and block what breaks them later", async () => {
    const breaking: Call[][] = [[write({ ...code("a", "return 2;"), ...code("b", "return 1;") })], []];
    const { run, text } = await ran(
      2,
      [checking("a", "R1"), checking("b", "R2")],
      [
        [[write(code("a", "return 1;"))], [prove("R1", "test/a.test.js")]],
        [...breaking.slice(0, 1), [["complete_instruction", { summary: "done" }]], [write(code("a", "return 1;"))]],
      ],
    );
    expect(text).toContain("R1, by the examiner, is proven by test/a.test.js, grade E2.");
    expect(text).toContain("Requirements that were proven are broken on this tree:\n- R1, by test/a.test.js");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
  });

  it("prove a requirement that later instructions serve too, when the last of them is done", async () => {
    const model = examined(
      [checking("a", "R1")],
      [[[write(code("b", "return 1;"))]], [[write(code("a", "return 1;"))]]],
    );
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const both = {
      requirements: requirements(1),
      instructions: [1, 2].map((n) => ({ title: `Part ${n}`, text: "Do it.", requirements: ["R1"] })),
    };
    const asked = await aSubmission({
      options: { reflect: 0, evidence: "independent" },
      submission: { program: both, requirements: requirements(1) },
    });
    const run = await compute(machine, asked);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1 } });
    expect(model.requests.map(lastText).join("\n")).not.toContain("requirements that no evidence proves");
  });
});

describe("what an instruction meets", () => {
  const circle: Call[][] = Array.from({ length: 40 }, () => [["list_files", {}] as Call]);
  const names = ["a", "b", "c"];
  const checks = names.map((name, at) => checking(name, `R${at + 1}`));
  const skipping = async (turns: Call[][][]) => {
    const model = examined(checks, turns);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const asked = await aSubmission({
      options: { reflect: 0, evidence: "independent", onTrap: "skip" },
      submission: { program: program(3), requirements: requirements(3) },
    });
    const run = await compute(machine, asked);
    return { run, machine, statuses: (await look(machine, run.id)).instructions.map(({ status }) => status) };
  };

  it("is not met where that instruction is skipped, and holds no later one up", async () => {
    const met: Call[][] = [[write(code("a", "return 1;"))], [prove("R1", "test/a.test.js")]];
    const others = ["b", "c"].map((name) => [[write(code(name, "return 1;"))]]);
    const { run, machine, statuses } = await skipping([[...met, ...circle], ...others]);
    expect(statuses).toEqual(["skipped", "accepted", "accepted"]);
    expect(run.proven).toMatchObject({ proven: 2, unproven: [{ requirement: "R1" }] });
    expect((await machine.registry.evidence(run.id)).map(({ metIn }) => metIn)).toEqual([1, 2, 3]);
  });

  it("is met by the instruction whose work is green, though an earlier one serves it and the last is skipped", async () => {
    const turns = [
      [[write(code("x", "return 1;"))]],
      [[write({ ...code("b", "return 1;"), ...code("a", "return 1;") })]],
    ];
    const { run, machine } = await skipping([...turns, circle]);
    expect(run.proven).toMatchObject({ proven: 2, unproven: [{ requirement: "R3" }] });
    expect((await machine.registry.evidence(run.id)).map(({ grade, metIn }) => [grade, metIn])).toEqual([
      [2, 2],
      [2, 2],
      [1, undefined],
    ]);
  });

  it("is met in a program with control flow too", async () => {
    const instructions = [
      { title: "One", text: "x", requirements: ["R1"] },
      { kind: "group", body: [{ title: "Two", text: "y", requirements: ["R2"] }] },
    ];
    const draft = draftFromData({ requirements: requirements(2), instructions });
    if ("problem" in draft) throw new Error(draft.problem);
    const both = write({ ...code("b", "return 1;"), ...code("a", "return 1;") });
    const model = examined(checks.slice(0, 2), [[[write(code("x", "return 1;"))]], [[both]]]);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const asked = await aSubmission({
      options: { reflect: 0, evidence: "independent" },
      submission: { program: draft, requirements: requirements(2) },
    });
    expect(await compute(machine, asked)).toMatchObject({ status: "completed", proven: { proven: 2 } });
  });

  it("is recorded where the gate refuses: it is not executed on stubs again", async () => {
    const one = {
      requirements: requirements(3),
      instructions: [{ title: "All", text: "Do it.", requirements: ["R1", "R2", "R3"] }],
    };
    const two = write({ ...code("a", "return 1;"), ...code("b", "return 1;") });
    const model = examined(checks, [[[two], [done], [write(code("c", "return 1;"))]]]);
    const evaluator = checkingEvaluator();
    const machine = opened({ model, evaluator });
    const asked = await aSubmission({
      options: { reflect: 0, evidence: "independent" },
      submission: { program: one, requirements: requirements(3) },
    });
    expect(await compute(machine, asked)).toMatchObject({ status: "completed", proven: { proven: 3 } });
    const counts = names.map((name) => evaluator.asked.filter((what) => what === `test/${name}.test.js`).length);
    // Declared, then on the work, before it, on stubs and with a remark. The gate that refused found the last one missing.
    expect(counts).toEqual([5, 5, 6]);
  });

  it("is asked for again where the sandbox broke: what could not be executed is not red", async () => {
    let breaks = STUB_VALUES.length;
    const isBroken = ({ changes }: EvaluationRequest): boolean =>
      changes.some(({ content }) => content && decoder.decode(content).includes("__l2macStub")) && breaks-- > 0;
    const model = examined(checks.slice(0, 1), [[[write(code("a", "return 1;"))]]]);
    const machine = opened({ model, evaluator: checkingEvaluator({ isBroken }) });
    const run = await compute(machine, await submission(1, "independent"));
    expect(model.requests.map(lastText).join("\n")).toMatch(/- R1: R1#1 could not be executed: the sandbox broke/);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1 } });
  });

  it("is named with its instruction where it is broken, or named in prove again", async () => {
    const again: Call[][] = [[write(code("a", "return 1;"))], [prove("R1", "test/a.test.js")]];
    const { run, text } = await ran(2, checks.slice(0, 2), [
      [...again, [prove("R1", "test/a.test.js")]],
      [[write({ ...code("a", "return 2;"), ...code("b", "return 1;") })], [done], [write(code("a", "return 1;"))]],
    ]);
    expect(text).toContain("R1 is proven by test/a.test.js, the check of the examiner, grade E2, since instruction 1.");
    expect(text).not.toContain("by its author");
    expect(text).toContain("(R1#1, proven in instruction 1)");
    expect(text).toContain("No other check takes the place of what the examiner wrote.");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2 } });
  });
});

describe("a test that the user gave", () => {
  it("proves nothing of a requirement whose check of the examiner was amended", async () => {
    const given = new Map(Object.entries(check("z", "return 1")).map(([path, text]) => [path, encoder.encode(text)]));
    const amended = write({ ...code("a", "return 2;"), ...check("a", "return 2"), ...code("z", "return 1;") });
    const model = examined(
      [checking("a", "R1")],
      [[[["amend_test", { path: "test/a.test.js", reason: "2" }], amended], [prove("R1", "test/z.test.js")]]],
    );
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const asked = await aSubmission({
      options: { reflect: 0, evidence: "independent" },
      submission: { program: program(1), requirements: requirements(1), from: given, tests: [...given.keys()] },
    });
    const run = await compute(machine, asked);
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0, total: 1 } });
    expect(run.detail).toContain("the examiner's check was amended, so that it is not independent any more");
  });

  it("is not left out at the gate of the last instruction where the examiner named it", async () => {
    const given = new Map(Object.entries(check("z", "return 1")).map(([path, text]) => [path, encoder.encode(text)]));
    const model = examined(
      [[prove("R1", "test/z.test.js")]],
      [[[write(code("z", "return 2;"))], [done], [write(code("z", "return 1;"))]]],
    );
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const asked = await aSubmission({
      options: { reflect: 0, evidence: "independent" },
      submission: { program: program(1), requirements: requirements(1), from: given, tests: [...given.keys()] },
    });
    const run = await compute(machine, asked);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1 } });
    expect(model.requests.map(lastText).join("\n")).toContain(
      "The instruction is not accepted yet: tests must be put right first.",
    );
  });
});

describe("the examiner's step", () => {
  const checks = [checking("a", "R1")];
  const turns: Call[][][] = [[[write(code("a", "return 1;"))]]];

  it("replays: the same requests, the same files", async () => {
    const machine = opened({ model: examined(checks, turns), evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(1, "independent"));
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed).toMatchObject({ treeHash: replayed.expected, turns: run.turns });
  });

  it("survives deaths of its process at any of its calls, with the same files and evidence each time", async () => {
    const homes: TestMachine[] = [];
    const mortal = {
      submission: await submission(1, "independent"),
      ...{ model: () => examined(checks, turns), evaluator: checkingEvaluator(), homes },
    };
    const through = async (...deaths: Parameters<typeof throughDeaths>[1]) => {
      const found = await throughDeaths(mortal, deaths);
      homes.splice(0).forEach((machine) => void machine.removeHome());
      const evidence = found.evidence.map(({ at: _at, ...each }) => each);
      return { ...found, seen: { status: found.run.status, hash: found.hash, evidence } };
    };
    const { seen, boundaries } = await through();
    expect(seen).toMatchObject({ status: "completed", evidence: [{ grade: 2, independent: true }] });
    for (const call of sampledCalls(1, boundaries))
      expect([call, (await through({ call, when: "after" })).seen]).toEqual([call, seen]);
  });
});
