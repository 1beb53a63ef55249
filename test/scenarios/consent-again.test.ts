/** A person is asked again where a run may cost more than the limit by another way: resumed with more to spend, forked or made. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;
/** A usual step costs $0.34. */
const price = { input: 1, output: 2 };

const obeys = () =>
  scriptedModel((request): Said => {
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const path = /^write (\S+)$/m.exec(text)?.[1] ?? "x.txt";
    if (!request.messages.some(({ role }) => role === "assistant")) return { calls: [writeFile(path, `${path}\n`)] };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

const texts = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ title: `Step ${index + 1}`, text: `write f${index + 1}.txt` }));
const LOOP = [
  {
    kind: "for_each",
    items: [1, 2, 3, 4],
    as: "n",
    atMost: 4,
    body: [{ title: "Step {{n}}", text: "write f{{n}}.txt" }],
  },
];

const programOf = (instructions: unknown[]) => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

async function asked(instructions: unknown[], options: Partial<RunOptions>) {
  const program = programOf(instructions);
  const submission = await aSubmission({ options: { reflect: 0, ...options }, submission: { program } });
  return { ...submission, profile: { ...submission.profile, price } };
}

const machineOf = () => opened({ model: obeys(), evaluator: alwaysGreen });
const UNASKED = { budget: { usd: 0.9, turns: 3 }, askAbove: 1 };

async function replayed(machine: TestMachine, { id }: Run): Promise<void> {
  const { difference, treeHash, expected } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
}

describe.each([
  ["a list", texts(4)],
  ["a loop", LOOP],
])("a run of %s that stopped at its ceiling", (_, program) => {
  it("asks where it may spend more than before, above the limit, and goes on from its turn once it is approved", async () => {
    const machine = machineOf();
    const stopped = await compute(machine, await asked(program, UNASKED));
    expect(stopped).toMatchObject({ status: "partial", reason: "turns", pc: 2, turn: 1 });
    const waiting = await machine.resume(stopped.id, { budget: { usd: 20, turns: 50 } });
    expect(waiting).toMatchObject({ status: "waiting", reason: "approval", pc: 2, turn: 1, turns: 3 });
    expect(waiting.detail).toMatch(
      /^Waiting for approval: the program may cost up to \$1\.01 \(3 steps in the worst case, .* more than the \$1\.00 above .*Nothing more is executed before that\.$/,
    );
    expect((await look(machine, stopped.id)).events.at(-1)).toMatchObject({ type: "waiting", why: waiting.detail });
    // Another program cannot take the place of one that is partly executed.
    await expect(machine.approve(stopped.id, programOf(texts(2)))).rejects.toMatchObject({
      ...{ exitCode: 2, message: expect.stringContaining("cannot be replaced any more") },
    });
    await expect(machine.revise(stopped.id, "Shorter.")).rejects.toThrow("cannot be replaced any more");
    await machine.cancel(stopped.id);
    expect(await machine.resume(stopped.id, {})).toMatchObject({ reason: "approval", detail: waiting.detail, turn: 1 });
    await machine.approve(stopped.id);
    const run = await machine.compute(stopped.id, never);
    expect(run).toMatchObject({ status: "completed", instructions: 4, turns: 8, files: 4 });
    await replayed(machine, run);
  });

  it("does not ask where no ceiling in US dollars is raised, or the rest stays below the limit", async () => {
    const machine = machineOf();
    const stopped = await compute(machine, await asked(program, UNASKED));
    const resumed = await machine.resume(stopped.id, { budget: { turns: 5 } });
    expect(resumed.status).toBe("running");
    expect(await machine.compute(stopped.id, never)).toMatchObject({ status: "partial", pc: 3, turn: 1 });
    const below = await machine.resume(stopped.id, { budget: { usd: 20, turns: 50 } });
    expect(below).toMatchObject({ status: "running" });
    expect(await machine.compute(stopped.id, never)).toMatchObject({ status: "completed" });
  });

  it("asks in a fork of which more than the limit is left, and keeps what is rejected", async () => {
    const machine = machineOf();
    const whole = await compute(machine, await asked(program, { budget: { usd: 0.9 }, askAbove: 1 }));
    expect(whole).toMatchObject({ status: "completed" });
    const budget = { usd: 20 };
    const begun = await compute(machine, await submissionOfFork(machine, whole, { at: "1", name: "fork", budget }));
    expect(begun).toMatchObject({ status: "waiting", reason: "approval", pc: 2, turns: 0, packed: 1 });
    expect(begun.detail).toContain("up to $1.01 (3 steps in the worst case");
    await machine.approve(begun.id);
    const run = await machine.compute(begun.id, never);
    expect(run).toMatchObject({ status: "completed", turns: 6 });
    await replayed(machine, run);
    const below = await compute(machine, await submissionOfFork(machine, whole, { at: "2", name: "fork", budget }));
    expect(below).toMatchObject({ status: "completed", turns: 4 });
    const other = await compute(machine, await submissionOfFork(machine, whole, { at: "1.1", name: "fork", budget }));
    expect(other).toMatchObject({ reason: "approval", pc: 1, turn: 1 });
    expect(await machine.reject(other.id)).toMatchObject({
      ...{ status: "cancelled", detail: "The rest of its program was rejected; what is accepted is kept." },
    });
  });

  it("asks in a run that make begins, about the steps that are not taken over", async () => {
    const machine = machineOf();
    const whole = await compute(machine, await asked(program, { budget: { usd: 0.9 }, askAbove: 0.9 }));
    const raised = { ...whole, options: { ...whole.options, budget: { usd: 20 } } };
    const same = await makeRun(machine, raised, { name: "same" });
    expect(await compute(machine, same.submission)).toMatchObject({ status: "completed", turns: 0 });
    const { submission } = await makeRun(machine, raised, {
      name: "more",
      program: programOf([...texts(4), ...texts(9).slice(5)]),
    });
    const begun = await compute(machine, submission);
    expect(begun).toMatchObject({ status: "waiting", reason: "approval", turns: 0 });
    expect(begun.detail).toContain("up to $1.34 (4 steps in the worst case");
    await machine.approve(begun.id);
    const run = await machine.compute(begun.id, never);
    expect(run).toMatchObject({ status: "completed", turns: 8, files: 8 });
    await replayed(machine, run);
  });
});
