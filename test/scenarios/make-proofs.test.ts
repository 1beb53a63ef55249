/** What a step proved is taken over with it. */
import { expect, it } from "vitest";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { done, evidenceOf, program, proving, scripted, submission } from "../doubles/evidence-runs.ts";
import { compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";

const { opened } = openedMachines();

async function expectReplayed(machine: ReturnType<typeof opened>, id: string): Promise<void> {
  const { difference, treeHash, expected } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
}

it("proves the requirement with the same text, whatever its number is now, and is executed once more at delivery", async () => {
  const machine = opened({ model: scripted([proving("a", "R1"), proving("b", "R2")]), evaluator: checkingEvaluator() });
  const first = await compute(machine, await submission(2));
  expect(first).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
  const swapped = JSON.parse(
    JSON.stringify(program(2)).replace(/"R([12])"/g, (_, number) => `"R${3 - Number(number)}"`),
  ) as ReturnType<typeof program>;
  const { submission: again, plan } = await makeRun(machine, first, { name: "again", program: swapped });
  const { id } = await machine.submit(again);
  await machine.remove(first.id);
  const run = await machine.compute(id, new AbortController().signal);
  expect(plan.steps.map(({ decision }) => decision)).toEqual(["copy", "copy"]);
  expect(run).toMatchObject({ status: "completed", calls: 0, proven: { proven: 2, total: 2 } });
  const evidence = await machine.registry.evidence(run.id);
  expect(evidence.map(({ requirement, instruction, turn, check }) => [requirement, instruction, turn, check])).toEqual([
    ["R1", 2, 1, { tests: ["test/b.test.js"] }],
    ["R2", 1, 1, { tests: ["test/a.test.js"] }],
  ]);
  expect(await evidenceOf(machine, run.id)).toEqual([
    ["R1#1", 2, "passed"],
    ["R2#1", 2, "passed"],
  ]);
  await expectReplayed(machine, run.id);
});

it("is nothing where the step was accepted without proof when it was offered again, and stays so", async () => {
  const model = scripted([proving("a", "R1"), [proving("b", "R2")[0] ?? [], [done], [done]]]);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const first = await compute(machine, await submission(2));
  expect(first).toMatchObject({ status: "partial", reason: "unproven" });
  const run = await compute(machine, (await makeRun(machine, first, { name: "again" })).submission);
  expect(run).toMatchObject({ status: "partial", reason: "unproven", calls: 0, proven: { proven: 1, total: 2 } });
  await expectReplayed(machine, run.id);
});
