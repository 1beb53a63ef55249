/** Tests that the user gave as evidence: each proves one requirement, by work that was done for it. */
import { describe, expect, it } from "vitest";
import type { EvidenceKind } from "../../lib/core/evidence/evidence-kind.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { check, code, evidenceOf, examined, program, prove, requirements, write } from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const GIVEN = check("a", "return 1");
const PATH = "test/a.test.js";
const work = write(code("a", "return 1;"));

/** `serves`: of each instruction. */
async function computed(
  kind: EvidenceKind,
  { checks = [], turns, serves }: { checks?: Call[][]; turns: Call[][][]; serves: string[][] },
) {
  const from = new Map(Object.entries(GIVEN).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const known = requirements(new Set(serves.flat()).size);
  const given = {
    ...program(0),
    requirements: known,
    instructions: serves.map((served, at) => ({ title: `Part ${at + 1}`, text: "Do it.", requirements: served })),
  };
  const model = examined(checks, turns);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const submission = { program: given, requirements: known, from, tests: [...from.keys()] };
  const run = await compute(machine, await aSubmission({ options: { reflect: 0, evidence: kind }, submission }));
  return { run, machine, text: model.requests.map(lastText).join("\n"), found: await evidenceOf(machine, run.id) };
}

describe("a test that the user gave", () => {
  it("proves with grade E5 where it was red before the instruction", async () => {
    const { run, machine, found } = await computed("own", {
      turns: [[[work], [prove("R1", PATH)]]],
      serves: [["R1"]],
    });
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, total: 1 } });
    expect(found).toEqual([["R1#1", 5, "passed"]]);
    const [first] = await machine.registry.evidence(run.id);
    expect(first).toMatchObject({ base: { status: "missing" }, work: { status: "passed" } });
    expect([first?.stubs, first?.independent]).toEqual([undefined, undefined]);
  });

  it("proves what an earlier instruction for the same requirement did", async () => {
    const { found } = await computed("own", {
      turns: [[[work]], [[write({ "notes.md": "nothing\n" })], [prove("R1", PATH)]]],
      serves: [["R1"], ["R1"]],
    });
    expect(found).toEqual([["R1#1", 5, "passed"]]);
  });

  it("proves nothing of a requirement that other work, and none of its own, made it green for", async () => {
    const { run, text, found } = await computed("own", {
      turns: [[[work]], [[write({ "notes.md": "nothing\n" })], [prove("R2", PATH)]]],
      serves: [["R1"], ["R2"]],
    });
    expect(text).toContain("other work made it green, so that it shows nothing of R2");
    expect(found).toEqual([]);
    expect(run).toMatchObject({ status: "partial", reason: "unproven" });
  });

  it("proves one requirement, and under another name no second one", async () => {
    const { run, text, found } = await computed("own", {
      turns: [[[work], [prove("R1", PATH), prove("R2", PATH), prove("R3", `${PATH}::a`)]]],
      serves: [["R1", "R2", "R3"]],
    });
    expect(text).toContain("is the check of R1 already (R1#1): one given test proves one requirement");
    expect(found).toEqual([["R1#1", 5, "passed"]]);
    expect(run.proven?.unproven.map(({ requirement }) => requirement)).toEqual(["R2", "R3"]);
  });

  it.each(["independent", "strict"] as const)(
    "proves with an examiner (%s) what that declared it for, once",
    async (kind) => {
      const { run, machine, text, found } = await computed(kind, {
        checks: [[prove("R1", PATH), prove("R2", PATH)]],
        turns: [[[work]]],
        serves: [["R1", "R2"]],
      });
      expect(text).toContain("is the check of R1 already (R1#1)");
      expect(found).toEqual([["R1#1", 5, "passed"]]);
      expect((await machine.registry.evidence(run.id))[0]).toMatchObject({
        independent: true,
        base: { status: "missing" },
      });
      expect(run.proven).toMatchObject({ proven: 1, total: 2 });
    },
  );

  it("proves nothing with an examiner where an instruction alone names it", async () => {
    const { run, text, found } = await computed("independent", {
      turns: [[[work], [prove("R1", PATH)]]],
      serves: [["R1"]],
    });
    expect(text).toContain("In this run they prove what the examiner declared them for");
    expect(found).toEqual([]);
    expect(run).toMatchObject({ status: "partial", reason: "unproven" });
  });
});
