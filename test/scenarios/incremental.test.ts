/** What is asked of the evaluator in the middle of an instruction, and what at its gate. */
import { afterAll, describe, expect, it } from "vitest";
import { aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
afterAll(() => {
  for (const machine of machines) {
    machine.close();
    machine.removeHome();
  }
});

const turns: Said[] = [
  { calls: [["write_files", { files: [{ path: "a.py", content: "a = 1\n" }] }]] },
  { calls: [["run_checks", {}]] },
  { calls: [["run_checks", { paths: ["a.py"] }]] },
  { calls: [["complete_instruction", { summary: "done" }]] },
];

/** Answers what is partial with a part, and what is not with the whole. */
async function checkedRun() {
  const asked: object[] = [];
  const machine = aMachine({
    model: scriptedModel((request) => turns[placeOf(request).answers] ?? {}),
    evaluator: {
      async evaluate({ syntax, tests, incremental, smoke }) {
        // The trial of the delivery is another matter.
        if (!smoke) asked.push({ syntax, tests, ...(incremental ? { incremental } : {}) });
        if (!incremental) return aVerdict({ tests: { passed: 40 } });
        const scope = { syntax: { files: 1, of: 90 }, tests: { files: 1, of: 30 } };
        return aVerdict({ syntax: { scope: scope.syntax }, tests: { passed: 2, scope: scope.tests } });
      },
    },
  });
  machines.push(machine);
  const program = { instructions: programOf(1), requirements: [] };
  const run = await compute(machine, await aSubmission({ submission: { program } }));
  return { asked, run, events: await machine.registry.events(run.id, { after: 0, limit: 1_000 }) };
}

describe("checks in the middle of an instruction", () => {
  it("are incremental where the model asks for all, and everything is checked at the gate", async () => {
    const { asked, run } = await checkedRun();
    expect(run.status).toBe("completed");
    expect(asked).toEqual([
      { syntax: { paths: ["a.py"] } },
      { syntax: {}, tests: {}, incremental: true },
      { syntax: { paths: ["a.py"] }, tests: { paths: ["a.py"] } },
      { syntax: {}, tests: {} },
    ]);
  });

  it("count for nothing that is said of the run, and watchers see that they were partial", async () => {
    const { run, events } = await checkedRun();
    expect([run.testsPassed, run.testsTotal]).toEqual([40, 40]);
    const partial = events.filter((event) => event.type === "verdict" && event.scope);
    expect(partial).toMatchObject([
      { passed: 2, scope: { syntax: { files: 1, of: 90 }, tests: { files: 1, of: 30 } } },
    ]);
    expect(events.flatMap((event) => (event.type === "turn" ? event.tools.map(({ note }) => note) : []))).toContain(
      "syntax ok · 2 passed · checked 1 of 90 files, ran 1 of 30 test files; everything at the gate",
    );
  });
});
