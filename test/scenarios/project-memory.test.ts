/** What an instruction learns of the program and of the project without asking: the outline with states, and the notes. */
import { expect, it } from "vitest";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const notes = (at: number) => (at === 1 ? [{ path: "NOTES.md", content: "Dates are UTC.\n" }] : []);
const works = () => scriptedModel(writerOf(3, (at) => [{ path: `${at}.txt`, content: "new\n" }, ...notes(at)]));

const openingsOf = ({ requests }: ReturnType<typeof works>): string[] => [
  ...new Set(
    requests.map(({ messages }) => messages[1]?.content ?? "").map((text) => text.split("\n\n(turn ")[0] ?? ""),
  ),
];

it("is shown to each instruction, and is what was true when its conversation began", async () => {
  const model = works();
  const run = await compute(opened({ model }), await aSubmission({ options: { reflect: 0 } }));
  expect(run.status).toBe("completed");
  const [, first = "", , third = ""] = openingsOf(model);
  expect(first).toContain("# The program\n\n1. Part 1 ← this instruction\n2. Part 2\n3. Part 3\n\n# Your instruction");
  expect(first).not.toContain("# Notes");
  expect(third).toContain("1. Part 1 (done)\n2. Part 2 (done)\n3. Part 3 ← this instruction\n");
  expect(third).toMatch(/\n# Notes of the project\n\nDates are UTC\.\n+# Files\n/);
});

it("is replayed as it was recorded", async () => {
  const machine = opened({ model: works() });
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
  const replayed = await machine.replay(run.id);
  expect(replayed.difference).toBeUndefined();
  expect(replayed.turns).toBe(run.turns);
});

it("asks a model that does not reason for a sentence before its calls, and no other", async () => {
  const systemsWith = async (temperature: boolean) => {
    const model = works();
    const profile = { convention: "native", temperature } as const;
    await compute(opened({ model }), await aSubmission({ profile, options: { reflect: 0 } }));
    return model.requests.map(({ messages }) => messages[0]?.content ?? "");
  };
  for (const system of await systemsWith(true)) expect(system).toContain("write one sentence: what you do next");
  for (const system of await systemsWith(false)) expect(system).not.toContain("write one sentence");
});
