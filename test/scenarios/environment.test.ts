/** The place where the code runs, as the prompts state it: measured when a conversation begins, and recorded with it. */
import { expect, it } from "vitest";
import type { Environment } from "../../lib/core/prompt/environment.ts";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const here: Environment = { system: "Linux x64", programs: { node: "24.1.0" }, packages: "installed" };
const works = () => scriptedModel(writerOf(2, (at) => [{ path: `${at}.txt`, content: "new\n" }]));

function machineIn(environment: Environment | undefined) {
  const model = works();
  let now = environment;
  const describeEnvironment = environment ? { describeEnvironment: () => now ?? here } : {};
  const machine = opened({ model, evaluator: { ...alwaysGreen, ...describeEnvironment } });
  const change = (other: Environment): void => {
    now = other;
  };
  return { model, machine, change };
}

const systemsOf = ({ requests }: ReturnType<typeof works>): string[] =>
  requests.map(({ messages }) => messages[0]?.content ?? "");

it("is stated to the planner and, at the end of the same beginning, in every conversation", async () => {
  const { model, machine } = machineIn(here);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
  expect(run.status).toBe("completed");
  const systems = systemsOf(model);
  const stated = /\n\n# Environment\n\nChecks and commands run on Linux x64 with Node 24\.1\.0\. Absent: npm, /;
  for (const system of systems) expect(system).toMatch(stated);
  expect(new Set(systems).size).toBe(2);
});

it("is replayed as it was recorded, though the programs have changed since", async () => {
  const { machine, change } = machineIn(here);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
  change({ ...here, programs: { node: "26.0.0" } });
  const replayed = await machine.replay(run.id);
  expect(replayed.difference).toBeUndefined();
  expect(replayed.turns).toBe(run.turns);
});

it("is not in a run whose evaluator does not know it, nor in a book", async () => {
  const { model, machine } = machineIn(undefined);
  await compute(machine, await aSubmission({ options: { reflect: 0 } }));
  const book = machineIn(here);
  await compute(book.machine, await aSubmission({ options: { reflect: 0, domain: "book" } }));
  for (const system of [...systemsOf(model), ...systemsOf(book.model)]) expect(system).not.toContain("# Environment");
});
