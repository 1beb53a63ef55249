/** Constraints of a task: a check of one must be green at each gate and at delivery; the others hold by declaration. */
import { describe, expect, it } from "vitest";
import { waive } from "../../lib/control/evidence/waive.ts";
import type { Submission } from "../../lib/control/lifecycle/submit.ts";
import { constraintRows } from "../../lib/core/evidence/constraint-standing.ts";
import type { EvidenceKind } from "../../lib/core/evidence/evidence-kind.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { extractConstraints } from "../../lib/core/program/constraints.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import {
  check,
  code,
  examined,
  program,
  prove,
  proving,
  requirements,
  scripted,
  write,
} from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText, type ScriptedModel } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const TASK = "It does two parts.\n\nConstraints:\n- No packages\n- Works offline\n";
const limit = check("limit", "lean");

interface Over {
  evidence?: EvidenceKind;
  submission?: Partial<Submission>;
}

async function computedWith(model: ScriptedModel, count: number, { evidence = "own", submission }: Over = {}) {
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const given = { task: TASK, program: program(count), requirements: requirements(count), ...submission };
  const run = await compute(machine, await aSubmission({ options: { reflect: 0, evidence }, submission: given }));
  return { machine, run };
}

/** An instruction for each list of turns; instruction n serves Rn. */
async function computed(turns: Call[][][]) {
  const model = scripted(turns);
  const { machine, run } = await computedWith(model, turns.length);
  return { machine, run, model, said: model.requests.map(lastText).join("\n") };
}

const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

const lean = { "src/limit.js": "// lean\n" };

const shown: Call = ["prove", { requirement: "C1", argv: ["show", "src/limit.js"], expect: { stdout: "// lean\n" } }];

describe("a constraint of the task", () => {
  it("without a check holds by declaration alone, which the end says, and is not counted", async () => {
    const { run, model } = await computed([proving("a", "R1"), proving("b", "R2")]);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2, declared: ["C1", "C2"] } });
    expect(run.detail).toBe("Completed. Proven 2/2. Constraints by declaration alone: C1, C2.");
    expect(model.requests.map(textOf).join("\n")).toContain("C1: No packages\nC2: Works offline");
  });

  it("with a check is green at delivery, though the check was never red", async () => {
    const { run, machine, said } = await computed([
      [[write({ ...lean, ...limit })], [prove("C1", "test/limit.test.js")], ...proving("a", "R1")],
    ]);
    expect(said).toContain("Constraint C1 is checked: green on the current files.");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, total: 1, declared: ["C2"] } });
    const [limits] = await machine.registry.evidence(run.id);
    expect(limits).toMatchObject({ requirement: "C1", grade: 1, delivered: { status: "passed" } });
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("whose check is red is not taken", async () => {
    const { run, said } = await computed([[[write({ "src/limit.js": "// fat\n" })], [shown], ...proving("a", "R1")]]);
    expect(said).toContain("the check fails on the current files");
    expect(run.proven).toMatchObject({ proven: 1, declared: ["C1", "C2"] });
  });

  it("that a later instruction breaks blocks that instruction, until it holds again", async () => {
    const complete: Call = ["complete_instruction", { summary: "done" }];
    const { run, said } = await computed([
      [[write(lean)], [shown], ...proving("a", "R1")],
      [[write({ "src/limit.js": "// fat\n" })], ...proving("b", "R2"), [complete], [write(lean)]],
    ]);
    expect(said).toMatch(/C1#1/);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2, declared: ["C2"] } });
  });

  it("whose red check gives way to another one holds by declaration alone", async () => {
    const trivial: Call = [
      "prove",
      { requirement: "C1", argv: ["show", "src/note.js"], expect: { stdout: "// note\n" } },
    ];
    const { run, machine } = await computed([
      [[write(lean)], [shown], ...proving("a", "R1")],
      [[write({ "src/limit.js": "// fat\n", "src/note.js": "// note\n" })], [trivial], ...proving("b", "R2")],
    ]);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, declared: ["C1", "C2"] } });
    const evidence = await machine.registry.evidence(run.id);
    const [first] = constraintRows({ evidence, isDelivered: true, constraints: extractConstraints(TASK) }, []);
    expect(first).toMatchObject({ state: "declared", why: "C1#1 was red, and another check took its place" });
  });

  it("may be checked by a command on the very file that it limits, which goes on changing", async () => {
    const { run } = await computed([
      [[write({ ...lean, ...code("b", "return 0;") })], [shown], ...proving("a", "R1")],
      [[write({ "src/limit.js": "// fat\n" })], [write(lean)], ...proving("b", "R2")],
    ]);
    expect(run).toMatchObject({ status: "completed", proven: { declared: ["C2"] } });
  });

  it("is not for the examiner to check: what a command names would be locked", async () => {
    const model = examined(
      [[write(check("a", "return 1")), prove("R1", "test/a.test.js"), prove("C1", "test/a.test.js")]],
      [[[write(code("a", "return 1;"))]]],
    );
    const { run, machine } = await computedWith(model, 1, { evidence: "independent" });
    expect(model.requests.map(lastText).join("\n")).toContain("those who write the code check the constraints");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, declared: ["C1", "C2"] } });
    expect((await machine.registry.evidence(run.id)).map(({ requirement }) => requirement)).toEqual(["R1"]);
  });

  it("does not use a given test up for the requirement that it is about", async () => {
    const from = new Map([["test/g.test.js", new TextEncoder().encode("// wants: return 1\n")]]);
    const model = scripted([
      [[write(code("g", "return 1;"))], [prove("C1", "test/g.test.js")], [prove("R1", "test/g.test.js")]],
    ]);
    const { run } = await computedWith(model, 1, { submission: { from, tests: [...from.keys()] } });
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, declared: ["C2"] } });
  });

  it("can be waived, and an id that is neither requirement nor constraint cannot", async () => {
    const { machine, run } = await computed([proving("a", "R1")]);
    const waived = await waive(machine.world, run.id, { requirement: "C1", reason: "tried by hand" });
    expect(waived.proven).toMatchObject({ proven: 1, total: 1, waived: ["C1"], declared: ["C2"] });
    await expect(waive(machine.world, run.id, { requirement: "C9", reason: "no" })).rejects.toThrow(
      "has no requirement C9. It has: R1, C1, C2.",
    );
  });

  it("is named where a check names an id that does not exist", async () => {
    const { said } = await computed([
      [[write({ ...code("a", "return 1;"), ...limit })], [prove("C7", "test/limit.test.js")]],
    ]);
    expect(said).toContain("There is no requirement C7. There are: R1, C1, C2.");
  });
});
