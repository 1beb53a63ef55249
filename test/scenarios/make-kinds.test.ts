/** A new run of a program with loops, conditions, checks and questions takes over the steps and answers that are unchanged. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { submissionBefore } from "../../lib/control/lifecycle/go-back.ts";
import { type MakeWish, makeRun } from "../../lib/control/make/make-run.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { LICENCE_AND_ROUNDS } from "../doubles/licence-program.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

const programOf = (instructions: unknown[], requirements: Draft["requirements"] = []): Draft => {
  const draft = draftFromData({ instructions, requirements });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

/** `write PATH CONTENT`, once a line, and `read PATH` before it. */
const obeys = (mark = "") =>
  scriptedModel((request): Said => {
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    const reads = [...text.matchAll(/^read (\S+)$/gm)].map(([, path]) => ({ path }));
    const writes = [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
      writeFile(path, `${content}${mark}\n`),
    );
    if (reads.length > 0 && answers === 0) return { calls: [["read_files", { files: reads }]] };
    if (answers === (reads.length > 0 ? 1 : 0) && writes.length > 0) return { calls: writes };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

const loop = (items: unknown, more = {}) => ({
  kind: "for_each",
  items,
  as: "part",
  atMost: 9,
  body: [{ title: "Write {{part}}", text: "write src/{{part}}.txt part {{part}}", needs: [] }],
  ...more,
});

const WHOLE = [
  { title: "List the parts", text: 'write parts.json ["a","b"]' },
  loop({ file: "parts.json" }),
  ...LICENCE_AND_ROUNDS,
  { kind: "assert", check: { file: "release.txt", exists: true }, otherwise: "repair", title: "write release.txt x" },
  { title: "Release", text: "write release.txt out" },
];

async function finished(machine: TestMachine, instructions: unknown[]): Promise<Run> {
  const program = programOf(instructions);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 }, submission: { program } }));
  if (run.status !== "waiting") return run;
  await machine.answer(run.id, { text: "MIT" });
  return machine.compute(run.id, never);
}

async function make(machine: TestMachine, run: Run, wish: Partial<MakeWish>) {
  const { submission, plan } = await makeRun(machine, run, { name: "again", ...wish });
  const begun = await compute(machine, submission);
  return { run: begun, plan, decisions: plan.steps.map(({ decision, title }) => `${title}: ${decision}`) };
}

const made = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await machine.registry.events(id, { after: 0, limit: 10_000 })).flatMap((event) =>
    event.type === "made" ? [`${event.title}: ${event.decision}`] : [],
  );

async function replayed(machine: TestMachine, { id }: Run): Promise<number> {
  const { difference, treeHash, expected, turns } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
  return turns;
}

const placesOf = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await look(machine, id)).instructions.map(({ frames = [], title }) => `${placeText(frames)} ${title}`);

describe("make of a program with control flow", () => {
  it("takes over an unchanged one: no call, no question, the same way through it, and an exact replay", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const first = await finished(machine, [...WHOLE.slice(0, 5), ...WHOLE.slice(6)]);
    expect(first).toMatchObject({ status: "completed", instructions: 7 });
    const model = obeys("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const { run, decisions, plan } = await make(later, first, {});
    expect(decisions.map((each) => each.split(": ").at(-1))).toEqual(Array(7).fill("copy"));
    expect([plan.assumed, plan.price.execute.steps]).toEqual([undefined, 0]);
    expect(run).toMatchObject({ status: "completed", calls: 0, microUsd: 0, instructions: 7 });
    expect(model.requests).toEqual([]);
    expect(await placesOf(later, run)).toEqual(await placesOf(later, first));
    expect((await look(later, run.id)).tree).toEqual((await look(later, first.id)).tree);
    await later.remove(first.id);
    expect(await replayed(later, run)).toBe(0);
    const again = await make(later, run, {});
    expect(again.run).toMatchObject({ status: "completed", calls: 0 });
  });

  it("executes only the round of an item that was added, where nothing else reads it", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const end = { title: "End", text: "write end.txt end", needs: [] };
    const first = await finished(machine, [loop(["a", "b", "c"]), end]);
    for (const items of [
      ["a", "x", "b", "c"],
      ["x", "a", "b", "c"],
      ["a", "b", "c", "x"],
    ]) {
      const model = obeys("!");
      const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
      const { run, decisions } = await make(later, first, { program: programOf([loop(items), end]) });
      expect(decisions.filter((each) => !each.endsWith("copy"))).toEqual(["Write x: execute"]);
      expect(run).toMatchObject({ status: "completed", turns: 2, files: 5 });
      expect((await made(later, run)).filter((each) => !each.endsWith("copied"))).toEqual(["Write x: executed"]);
      await replayed(later, run);
    }
    const fewer = await make(machine, first, { program: programOf([loop(["c", "a"]), end]) });
    expect(fewer.run).toMatchObject({ status: "completed", calls: 0, files: 3 });
  });

  it("goes by a file that an earlier step writes now, and finds each fact out on the new tree", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const first = await finished(machine, WHOLE);
    const changed = WHOLE.with(0, { title: "List the parts", text: 'write parts.json ["a","b","x"]' });
    const model = obeys("");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const { run } = await make(later, first, { program: programOf(changed) });
    const steps = await placesOf(later, run);
    expect(steps.slice(1, 5)).toEqual(["2[1].1 Write a", "2[2].1 Write b", "2[3].1 Write x", "3 Which licence?"]);
    const executed = (await made(later, run)).filter((each) => each.endsWith("executed"));
    expect(executed.slice(0, 2)).toEqual(["List the parts: executed", "Write x: executed"]);
    await replayed(later, run);
  });

  it("asks again with --strict, and a changed question", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const asking = [...WHOLE.slice(0, 4)];
    const first = await finished(machine, asking);
    const strict = await make(machine, first, { strict: true });
    expect(strict.run).toMatchObject({ status: "waiting", reason: "answer", calls: 0 });
    expect(strict.decisions).toContain("Which licence?: execute");
    // The question asks no model; the step that is handed its answer does.
    expect(strict.plan.price.execute.steps).toBe(1);
    await machine.answer(strict.run.id, { text: "None" });
    const other = await machine.compute(strict.run.id, never);
    expect(other).toMatchObject({ status: "completed", turns: 2 });
    expect((await placesOf(machine, other)).at(-1)).toBe("4[2].1 Name another");
    await replayed(machine, other);
    const question = { kind: "ask", question: "Which licence now?", saveTo: "LICENSE" };
    const renamed = await make(machine, first, { program: programOf(asking.with(2, question)) });
    expect(renamed.run).toMatchObject({ status: "waiting", reason: "answer", calls: 0 });
  });

  it("says what it assumes of conditions that were not found out, and prices the steps behind them", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const first = await finished(
      machine,
      ["write a.txt a", "write b.txt b"].map((text) => ({ title: text, text })),
    );
    const program = programOf([
      { title: "write a.txt a", text: "write a.txt a" },
      { title: "write b.txt b", text: "write b.txt b" },
      {
        kind: "if",
        condition: { file: "b.txt", exists: true },
        // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
        then: [{ title: "More", text: "write more.txt yes" }],
      },
      loop({ glob: "*.txt" }),
    ]);
    const { plan, decisions, run } = await make(machine, first, { program });
    expect(plan.assumed).toEqual(['"b.txt exists" holds (3)', "the list of a loop has one item (4)"]);
    expect(decisions.map((each) => each.split(": ").at(-1))).toEqual(["copy", "copy", "execute", "execute"]);
    expect(plan.price.execute.steps).toBe(2);
    expect(run).toMatchObject({ status: "completed", instructions: 6 });
    const list = await make(machine, run, {
      program: programOf(["write a.txt a", { title: "End", text: "write e.txt e" }]),
    });
    expect(list.run).toMatchObject({ status: "completed" });
    await replayed(machine, list.run);
  });

  it("gives requirements of a changed task their new ids inside blocks, too", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const requirements = [
      { id: "R1", text: "Links are short." },
      { id: "R2", text: "Links work." },
    ];
    const body = [{ title: "Shorten", text: "write s.txt s", requirements: ["R1"] }];
    const serve = { title: "Serve", text: "write w.txt w", requirements: ["R2"] };
    const program = programOf([{ kind: "group", body }, serve], requirements);
    const task = "Do it:\n\n1. Links are short.\n2. Links work.\n";
    const first = await compute(
      machine,
      await aSubmission({ options: { reflect: 0 }, task, submission: { program, requirements } }),
    );
    const { run, plan } = await make(machine, first, { task: "Do it:\n\n1. Links work.\n2. Links are short.\n" });
    expect([plan.unserved, run.status, run.calls]).toEqual([[], "completed", 0]);
    expect((await look(machine, run.id)).instructions.map(({ requirements: ids }) => ids)).toEqual([["R2"], ["R1"]]);
  });

  it("and a fork work on a run that began inside its program, and keep where it began", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const whole = [{ title: "List the parts", text: "write parts.txt a" }, loop(["a", "b", "c"]), "write end.txt end"];
    const first = await finished(machine, whole);
    const back = await compute(machine, await submissionBefore(machine, first, { to: 3, name: "back" }));
    expect(await placesOf(machine, back)).toEqual(["2[2].1 Write b", "2[3].1 Write c", "3 write end.txt end"]);
    const forked = await compute(machine, await submissionOfFork(machine, back, { at: "1", name: "fork" }));
    expect([await placesOf(machine, forked), forked.turns]).toEqual([await placesOf(machine, back), 4]);
    await replayed(machine, forked);
    const { run } = await make(machine, back, {});
    expect([await placesOf(machine, run), run.turns]).toEqual([await placesOf(machine, back), 0]);
    await replayed(machine, run);
    const program = programOf([{ title: "Other", text: "write o.txt o" }, ...whole.slice(1)]);
    await expect(makeRun(machine, back, { name: "x", program })).rejects.toMatchObject({
      ...{ exitCode: 2, field: "program", message: expect.stringContaining("begins at 2[2].1 of its program") },
    });
  });
});
