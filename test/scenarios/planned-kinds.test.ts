/** A program with loops, conditions and checks that the model itself writes: read as a program file is, revised, approved, executed and replayed. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { replaceProgram } from "../../lib/control/lifecycle/approval.ts";
import { programOf } from "../../lib/control/program/stored-program.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { renderProgramMarkdown } from "../../lib/core/program/program-text.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { lastText, placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;
const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

const EACH = { title: "Parts", text: "-", requirements: [], kind: "for_each", id: "each", as: "part" };
const list = { title: "List", text: 'write parts.json ["a","b"]', requirements: ["R1"] };
const part = {
  title: "Write {{part}}",
  text: "write {{part}}.txt part {{part}}",
  requirements: ["R2"],
  inside: "each",
};
const check = { title: "There is b", text: "-", requirements: [], kind: "assert", otherwise: "stop" };
const loopOf = (atMost: number | null) => [
  list,
  { ...EACH, items: { file: "parts.json" }, atMost },
  part,
  { ...check, condition: { file: "b.txt", exists: true } },
];
const TITLES = ["List", "Write a", "Write b"];

/** The first program lacks `atMost`; what comes after follows from what the conversation says. */
function planner(request: ModelRequest): Said {
  const { planning, answers } = placeOf(request);
  if (planning) {
    const text = textOf(request);
    const plain = text.includes("Only a list, please.");
    const isFirst = answers === 0 && !text.includes("# What the user wants changed");
    return { calls: [["write_program", { instructions: plain ? [list] : loopOf(isFirst ? null : 4) }]] };
  }
  const writes = [...textOf(request).matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", text = ""]) =>
    writeFile(path, `${text}\n`),
  );
  return answers === 0 ? { calls: writes } : { calls: [["complete_instruction", { summary: "done" }]] };
}

const TASK = "Write two parts.\n\n1. List them.\n2. Write them.\n3. Check them.";
const REQUIREMENTS = ["R1", "R2", "R3"].map((id) => ({ id, text: `What ${id} asks for.` }));

const asked = (options: Partial<RunOptions> = {}) =>
  aSubmission({ task: TASK, options: { reflect: 0, ...options }, submission: { requirements: REQUIREMENTS } });

async function expectExactReplay(machine: TestMachine, { id, turns }: Run): Promise<void> {
  const replayed = await machine.replay(id);
  expect(replayed.difference).toBeUndefined();
  expect([replayed.turns, replayed.treeHash]).toEqual([turns, replayed.expected]);
}

describe("a program of more kinds that the model writes", () => {
  it("is repaired where it is wrong, executed as it goes, and replays", async () => {
    const model = scriptedModel(planner);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await asked());
    expect(run).toMatchObject({ status: "completed", format: 3, instructions: 3, pc: 4 });
    const { instructions, tree, events } = await look(machine, run.id);
    expect(instructions.map(({ title }) => title)).toEqual(TITLES);
    expect(Object.keys(tree).toSorted()).toEqual(["a.txt", "b.txt", "parts.json"]);
    const [, second] = model.requests;
    expect(second && lastText(second)).toContain(
      "The program was not taken.\ninstructions[1].atMost: `for_each` needs `atMost`. Write the largest number of rounds",
    );
    expect(events.find(({ type }) => type === "program")).toMatchObject({ mostSteps: 5, uncovered: ["R3"] });
    await expectExactReplay(machine, run);
  });

  it("is shown with its blocks when the model reviews it, and what its bodies serve counts", async () => {
    const model = scriptedModel(planner);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await asked({ reflect: 1 }));
    const review = model.requests.map(lastText).find((text) => text.includes("# The program as you wrote it"));
    expect(review).toContain(
      [
        "1. List (R1)",
        "2. Parts: for each part, at most 4",
        "   1. Write {{part}} (R2)",
        "3. There is b: assert that b.txt exists, else stop",
      ].join("\n"),
    );
    expect(review).toMatch(/serves yet\n\nR3: What R3 asks for\.\n\n\S/);
    expect(run).toMatchObject({ status: "completed" });
    await expectExactReplay(machine, run);
  });

  it("keeps to --steps in the worst case", async () => {
    const model = scriptedModel(planner);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await asked({ steps: 4 }));
    expect(run).toMatchObject({ status: "failed", reason: "planning" });
    expect(model.requests.map(lastText).join()).toContain("It can take 5 steps; at most 4 are allowed. Lower atMost");
  });

  it("waits for approval as it is, is revised into a list and back, and is executed as approved", async () => {
    const machine = opened({ model: scriptedModel(planner), evaluator: alwaysGreen });
    const planned = await compute(machine, await asked({ approve: "plan" }));
    expect(planned).toMatchObject({ status: "waiting", reason: "approval", instructions: 0 });
    const tree = await programOf(machine, planned);
    expect(renderProgramMarkdown(tree)).toContain("2. **Parts** {#each .for_each items=");
    await machine.revise(planned.id, "Only a list, please.");
    expect(await machine.compute(planned.id, never)).toMatchObject({ reason: "approval", instructions: 1 });
    await machine.revise(planned.id, "The loop again.");
    const again = await machine.compute(planned.id, never);
    expect(again).toMatchObject({ reason: "approval", instructions: 0 });
    expect(await programOf(machine, again)).toEqual(tree);
    await machine.approve(planned.id);
    const run = await machine.compute(planned.id, never);
    expect(run).toMatchObject({ status: "completed", instructions: 3 });
    await expectExactReplay(machine, run);
  });

  it("is executed as a list where it was revised into one", async () => {
    const machine = opened({ model: scriptedModel(planner), evaluator: alwaysGreen });
    const planned = await compute(machine, await asked({ approve: "plan" }));
    await machine.revise(planned.id, "Only a list, please.");
    await machine.compute(planned.id, never);
    await machine.approve(planned.id);
    const run = await machine.compute(planned.id, never);
    expect(run).toMatchObject({ status: "completed", instructions: 1, pc: 2 });
    expect(run.walk).toBeUndefined();
    await expectExactReplay(machine, run);
  });
});

describe("a run whose program may cost more than a person agreed to", () => {
  const price = { input: 1, output: 2 };
  const dear = async (options: Partial<RunOptions>) => {
    const submission = await asked({ budget: { usd: 50 }, ...options });
    return { ...submission, profile: { ...submission.profile, price } };
  };

  it("waits before anything is executed, also after it was cancelled, and goes on once it is approved", async () => {
    const model = scriptedModel(planner);
    const machine = opened({ model, evaluator: alwaysGreen });
    const planned = await compute(machine, await dear({ askAbove: 1 }));
    expect(planned).toMatchObject({ status: "waiting", reason: "approval", pc: 1 });
    expect(planned.detail).toMatch(/^Waiting for approval: the program may cost up to \$1\.\d+ \(5 steps in the worst/);
    const asking = model.requests.length;
    await machine.cancel(planned.id);
    const again = await machine.resume(planned.id, {});
    expect(again).toMatchObject({ status: "waiting", reason: "approval", detail: planned.detail });
    expect(model.requests.length).toBe(asking);
    await machine.approve(planned.id);
    const run = await machine.compute(planned.id, never);
    expect(run).toMatchObject({ status: "completed", instructions: 3 });
    await expectExactReplay(machine, run);
  });

  it("says the price of the program that waits, also of a revised one and of one in its place", async () => {
    const machine = opened({ model: scriptedModel(planner), evaluator: alwaysGreen });
    const planned = await compute(machine, await dear({ askAbove: 1 }));
    await machine.revise(planned.id, "Only a list, please.");
    const revised = await machine.compute(planned.id, never);
    expect(revised).toMatchObject({ status: "waiting", consent: revised.detail });
    expect(revised.detail).toContain("may cost up to $0.34 (1 step in the worst case");
    expect(revised.detail).toContain("not more than the $1.00 above which");
    const instructions = [1, 2, 3, 4].map((n) => ({ ...list, text: `write p${n}.txt part` }));
    const program = { instructions, requirements: REQUIREMENTS };
    const replaced = await replaceProgram(machine, planned.id, { program, was: () => true });
    expect(replaced).toMatchObject({ status: "waiting" });
    if (replaced === "changed") throw new Error("It is the same program.");
    expect(replaced.detail).toContain("may cost up to $1.34 (4 steps in the worst case");
    expect(replaced.consent).toBe(replaced.detail);
    await machine.approve(planned.id);
    const run = await machine.compute(planned.id, never);
    expect(run).toMatchObject({ status: "completed", instructions: 4 });
    await expectExactReplay(machine, run);
  });

  it("is not asked again in a fork, which replays", async () => {
    const machine = opened({ model: scriptedModel(planner), evaluator: alwaysGreen });
    const planned = await compute(machine, await dear({ askAbove: 1 }));
    await machine.revise(planned.id, "Only a list, please.");
    await machine.compute(planned.id, never);
    await machine.approve(planned.id);
    const run = await machine.compute(planned.id, never);
    const forked = await compute(machine, await submissionOfFork(machine, run, { at: "1.1", name: "fork" }));
    expect(forked).toMatchObject({ status: "completed", approved: true, consent: run.consent });
    const replayed = await machine.replay(forked.id);
    expect([replayed.difference, replayed.treeHash]).toEqual([undefined, replayed.expected]);
  });

  it("does not wait below that", async () => {
    const machine = opened({ model: scriptedModel(planner), evaluator: alwaysGreen });
    expect(await compute(machine, await dear({ askAbove: 2 }))).toMatchObject({ status: "completed" });
    expect(await compute(machine, await dear({}))).toMatchObject({ status: "completed" });
  });

  it("waits with a program of the user's own, too, and no model is asked", async () => {
    const model = scriptedModel(planner);
    const machine = opened({ model, evaluator: alwaysGreen });
    const submission = await dear({ askAbove: 0 });
    const program = { instructions: [list], requirements: REQUIREMENTS };
    const run = await compute(machine, { ...submission, program });
    expect(run).toMatchObject({ status: "waiting", reason: "approval", instructions: 1 });
    expect(model.requests).toEqual([]);
  });
});
