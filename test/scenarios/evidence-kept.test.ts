/** A requirement that asks for nothing new: that what a run was given keeps working. */
import { describe, expect, it } from "vitest";
import { evidenceTable } from "../../lib/core/evidence/table.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { check, code, done, evidenceOf, prove, proving, scripted, write } from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const requirements = [
  { id: "R1", text: "Part b works." },
  { id: "R2", text: "All that worked before works as it did." },
];
const GIVEN = { ...code("a", "return 1;"), ...check("a", "return 1") };

/** `given`: what the run starts from. Instruction 1 serves R1, instruction 2 serves R2. */
async function computed(turns: Call[][][], given: Record<string, string> = GIVEN) {
  const model = scripted(turns);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const instructions = requirements.map(({ id, text }) => ({ title: text, text, requirements: [id] }));
  const from = new Map(Object.entries(given).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const run = await compute(
    machine,
    await aSubmission({
      options: { reflect: 0, evidence: "own", ...(from.size > 0 ? { from: true } : {}) },
      submission: { requirements, program: { requirements, instructions }, ...(from.size > 0 ? { from } : {}) },
    }),
  );
  return { run, machine, said: model.requests.map(lastText).join("\n----\n") };
}

const keeps = prove("R2", "test/a.test.js");
const TAUTOLOGY = "passes on the files before this instruction too: it shows nothing of the work";

describe("a check of what a run was given, green before it and red on stubs of it", () => {
  it("proves that it is kept, which is said where it is shown, and replays", async () => {
    const { run, machine, said } = await computed([proving("b", "R1"), [[keeps]]]);
    expect(said).toContain("R2 is kept, shown by test/a.test.js, grade E2.\nbefore this run: green (1 passed)");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2, kept: ["R2"] } });
    expect(run.detail).toBe("Completed. Proven 2/2. Kept as before the run: R2.");
    const evidence = await machine.registry.evidence(run.id);
    expect(evidence.map((each) => [each.kept, each.base.status, each.stubs?.status, each.delivered?.status])).toEqual([
      [undefined, "missing", "refuted", "passed"],
      [true, "passed", "refuted", "passed"],
    ]);
    const { requirements: rows } = evidenceTable(requirements, { evidence, isDelivered: true });
    expect(rows.map(({ state, kept }) => [state, kept])).toEqual([
      ["proven", undefined],
      ["proven", true],
    ]);
    const replayed = await machine.replay(run.id);
    expect([replayed.difference, replayed.treeHash]).toEqual([undefined, replayed.expected]);
  });

  it("proves no requirement that asks for something new", async () => {
    const { run, machine, said } = await computed([[[prove("R1", "test/a.test.js")]], [[keeps]]]);
    expect(said).toContain(TAUTOLOGY);
    expect(await evidenceOf(machine, run.id)).toEqual([["R2#1", 2, "passed"]]);
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 1, kept: ["R2"] } });
  });

  it("blocks a later instruction that breaks it, like any other", async () => {
    const breaking: Call[] = [
      ["amend_test", { path: "test/a.test.js", reason: "it is in the way" }],
      ["delete_files", { paths: ["test/a.test.js"] }],
      write({ ...code("a", "return 2;"), ...code("c", "return 1;"), ...check("c", "return 1") }),
      done,
    ];
    const { run, said } = await computed([
      [...proving("b", "R1"), [keeps]],
      [breaking, [write(GIVEN)]],
    ]);
    expect(said).toContain(
      "were proven are broken on this tree:\n- R2, by test/a.test.js (R2#1, proven in instruction 1)",
    );
    expect(run).toMatchObject({ status: "completed", proven: { kept: ["R2"] } });
  });
});

describe("nothing is kept", () => {
  it("where the run started from nothing, or an earlier instruction wrote it", async () => {
    const own = await computed([proving("a", "R1"), [[keeps]]], {});
    expect(own.said).toContain(TAUTOLOGY);
    expect(own.run).toMatchObject({ reason: "unproven", proven: { proven: 1 } });
    const earlier = await computed([proving("b", "R1"), [[prove("R2", "test/b.test.js")]]]);
    expect(earlier.said).toContain(TAUTOLOGY);
    expect(earlier.run).toMatchObject({ reason: "unproven", proven: { proven: 1 } });
  });

  it("by a test that is given and was changed, by one that stubs pass, or by one that reads the code", async () => {
    const amend: Call = ["amend_test", { path: "test/a.test.js", reason: "less is enough" }];
    const weakened = [amend, write(check("a", "export function")), keeps];
    const { run, said } = await computed([proving("b", "R1"), [weakened]]);
    expect(said).toContain("is not what it was: the run started with another test/a.test.js.");
    expect(run).toMatchObject({ reason: "unproven", proven: { proven: 1 } });
    const weak = await computed([proving("b", "R1"), [[keeps]]], { ...GIVEN, ...check("a", "export function") });
    expect(weak.said).toContain("held before the run, and does not show what was there: it passes where 1 functions");
    const text = { "src/a.js": "export function a() { return 1; }\n", "test/a.test.js": "// ends: return 1; }\n" };
    const reading = await computed([proving("b", "R1"), [[keeps]]], text);
    expect(reading.said).toContain("it looks at the text of the code. Check what the code does.");
    expect([weak.run.reason, reading.run.reason]).toEqual(["unproven", "unproven"]);
  });
});
