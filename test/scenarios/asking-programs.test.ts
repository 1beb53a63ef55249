/** A program that asks a person between its steps: its answers are files, facts for its conditions, and journaled. */
import { describe, expect, it } from "vitest";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

const submission = (instructions: unknown[]) => {
  const program = draftFromData({ instructions });
  if ("problem" in program) throw new Error(program.problem);
  return aSubmission({ options: { reflect: 0 }, submission: { program } });
};

/** Writes one file for each step. */
const writes = () =>
  scriptedModel((request): Said => {
    const { instruction, answers } = placeOf(request);
    if (answers === 0) return { calls: [writeFile(`step-${instruction}.txt`, `${instruction}\n`)] };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

const CHOICES = ["SQLite", "PostgreSQL"];
const PROGRAM = [
  "Begin.",
  { kind: "ask", question: "Which database?", choices: CHOICES, saveTo: "docs/database.md" },
  {
    kind: "if",
    condition: { file: "docs/database.md", matches: "^PostgreSQL" },
    // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
    then: ["Set up PostgreSQL."],
    else: ["Set up SQLite."],
  },
  {
    kind: "for_each",
    items: ["users", "orders"],
    as: "table",
    atMost: 2,
    body: [{ kind: "ask", question: "What is in {{table}}?", saveTo: "docs/{{table}}.md" }],
  },
  "End.",
];

const titlesOf = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await machine.registry.instructions(id)).map(({ title }) => title);

async function answered(machine: TestMachine, { id }: Run, text: string): Promise<Run> {
  await machine.answer(id, { text });
  return machine.compute(id, never);
}

describe("a program that asks", () => {
  it("goes on by the answers, one after the other, and is replayed with them", async () => {
    const machine = opened({ model: writes(), evaluator: alwaysGreen });
    let run = await compute(machine, await submission(PROGRAM));
    expect(run).toMatchObject({ status: "waiting", reason: "answer", instructions: 2, question: { step: 2 } });
    expect(run).toMatchObject({ packed: 1, question: { choices: CHOICES } });
    run = await answered(machine, run, "postgresql");
    expect(run.question).toEqual({ step: 4, text: "What is in users?" });
    run = await answered(machine, run, "Names.");
    expect(run.question).toEqual({ step: 5, text: "What is in orders?" });
    run = await answered(machine, run, "Goods.");
    expect(run).toMatchObject({ status: "completed", instructions: 6, packed: 6, turns: 6 });
    expect(await titlesOf(machine, run)).toEqual([
      ...["Begin", "Which database?", "Set up PostgreSQL", "What is in users?", "What is in orders?", "End"],
    ]);
    const { tree } = await look(machine, run.id);
    expect(tree).toMatchObject({ "docs/database.md": "PostgreSQL\n", "docs/users.md": "Names.\n" });
    expect(tree["docs/orders.md"]).toBe("Goods.\n");
    const replayed = await machine.replay(run.id);
    expect(replayed).toMatchObject({ turns: 6, treeHash: replayed.expected });
    expect(replayed).not.toHaveProperty("difference");
  });

  it("takes the other way by another answer", async () => {
    const machine = opened({ model: writes(), evaluator: alwaysGreen });
    const run = await answered(machine, await compute(machine, await submission(PROGRAM)), "SQLite");
    expect((await titlesOf(machine, run))[2]).toBe("Set up SQLite");
  });

  it("may begin and end with a question, and have nothing else to do than one step", async () => {
    const ask = (saveTo: string) => ({ kind: "ask", question: `What is ${saveTo}?`, saveTo });
    const model = writes();
    const machine = opened({ model, evaluator: alwaysGreen });
    let run = await compute(machine, await submission([ask("a.md"), "Do it.", ask("b.md")]));
    expect(run).toMatchObject({ reason: "answer", pc: 1, calls: 0 });
    const halfway = await machine.replay(run.id);
    expect(halfway).toMatchObject({ turns: 0, treeHash: halfway.expected });
    run = await answered(machine, run, "a");
    run = await answered(machine, run, "b");
    expect(run).toMatchObject({ status: "completed", turns: 2, files: 3 });
    expect(JSON.stringify(model.requests[0])).toContain("It is data for the work: a");
    const replayed = await machine.replay(run.id);
    expect(replayed).toMatchObject({ turns: 2, treeHash: replayed.expected });
  });

  it("ends where an item makes no path of its file", async () => {
    const body = [{ kind: "ask", question: "What?", saveTo: "docs/{{name}}.md" }];
    const loop = { kind: "for_each", items: ["../../x"], as: "name", atMost: 1, body };
    const machine = opened({ model: writes(), evaluator: alwaysGreen });
    const run = await compute(machine, await submission([loop, "End."]));
    expect(run).toMatchObject({ status: "partial", reason: "check_failed" });
    expect(run.detail).toContain("Instruction 1 cannot ask, since its answer could not be saved");
  });

  it("comes to the same tree through deaths at the calls of its storage", async () => {
    const homes: TestMachine[] = [];
    const mortal = { submission: await submission(PROGRAM), model: writes, answer: "SQLite", homes };
    const expected = await throughDeaths(mortal, []);
    expect(expected.run.status).toBe("completed");
    for (let call = 1; call <= expected.boundaries; call += 7) {
      for (const when of ["before", "after"] as const) {
        const { run, hash, instructions } = await throughDeaths(mortal, [{ call, when }]);
        expect({ status: run.status, hash, steps: instructions.length }, `${when} ${call}`).toEqual({
          ...{ status: "completed", hash: expected.hash, steps: 6 },
        });
      }
    }
    for (const home of homes) home.removeHome();
  }, 120_000);
});
