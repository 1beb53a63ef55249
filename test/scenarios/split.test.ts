/** An instruction that is stuck is split once: the model writes smaller ones in its place, and the run goes on with them. */
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { isSplitting, placeOf, programOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { machines, opened } = openedMachines();
const done: Said = { calls: [["complete_instruction", { summary: "done" }]] };
const submission = (options: Partial<RunOptions> = {}) => aSubmission({ options: { reflect: 0, ...options } });

const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

/** Instructions are completed, but the one titled "Part 2" is worked on in circles, after a first file. */
function circling(request: ModelRequest): Said {
  const { planning, instruction, answers } = placeOf(request);
  if (planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
  const isStuck = textOf(request).includes(": Part 2\n");
  if (isStuck) return answers === 0 ? { calls: [writeFile("begun.txt")] } : { calls: [["list_files", {}]] };
  return answers === 0 ? { calls: [writeFile(`f${instruction}.txt`)] } : done;
}

const part = (title: string) => ({ title, text: `Do ${title}.`, requirements: [] });
const parts: Said = { calls: [["write_program", { instructions: [part("Half"), part("Other half")] }]] };

describe("an instruction that is stuck", () => {
  it("is replaced by smaller ones, which begin with its files", async () => {
    const model = scriptedModel(circling, () => parts);
    const machine = opened({ model });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", instructions: 4, pc: 5, packed: 4, split: { first: 2, last: 3 } });
    const { tree, instructions, events } = await look(machine, run.id);
    expect(Object.keys(tree).toSorted()).toEqual(["begun.txt", "f1.txt", "f2.txt", "f3.txt", "f4.txt"]);
    expect(instructions.map(({ title, status }) => `${title} ${status}`)).toEqual([
      "Part 1 accepted",
      "Half accepted",
      "Other half accepted",
      "Part 3 accepted",
    ]);
    expect(events.find(({ type }) => type === "split")).toMatchObject({
      ...{ instruction: 2, title: "Part 2", titles: ["Half", "Other half"], instructions: 4 },
    });
    expect(events.some(({ type }) => type === "trapped")).toBe(false);
  });

  it("is asked for with the program, what happened and what is there, and only once", async () => {
    const model = scriptedModel(circling, () => parts);
    await compute(opened({ model }), await submission());
    const [asked, ...others] = model.requests.filter(isSplitting);
    expect(others).toEqual([]);
    const text = asked ? textOf(asked) : "";
    expect(text).toContain("1. Part 1 (done)\n2. Part 2 ← this instruction\n3. Part 3");
    expect(text).toMatch(/# What happened\n\nthe same calls came back.*list_files \{\} came \d+ times/);
    expect(text).toContain("- wrote begun.txt");
    expect(text).toContain("Call write_program with 2 to 4 smaller instructions");
    expect(asked?.tools.map(({ name }) => name)).toEqual(["write_program"]);
    const first = model.requests.find((request) => textOf(request).includes("Instruction 2 of 4: Half"));
    expect(first && textOf(first)).toContain("the instruction was split into smaller ones");
  });

  it("counts as stuck where the model writes none, or only one", async () => {
    const one: Said = { calls: [["write_program", { instructions: [part("The same")] }]] };
    for (const split of [one, { text: "No." }, { calls: [["list_files", {}]] } satisfies Said]) {
      const model = scriptedModel(circling, () => split);
      const machine = opened({ model });
      const run = await compute(machine, await submission());
      expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 2, instructions: 3 });
      expect(run.splitting).toBeUndefined();
      expect(model.requests.filter(isSplitting)).toHaveLength(2);
      const { instructions } = await look(machine, run.id);
      expect(instructions[1]).toMatchObject({ status: "trapped", trap: { kind: "loop", repeated: "list_files {}" } });
      // Resumed, it is worked on again, and not split again.
      const again = await machine.resume(run.id, {}).then(() => machine.compute(run.id, new AbortController().signal));
      expect(again).toBeDefined();
      expect(model.requests.filter(isSplitting)).toHaveLength(2);
    }
  });

  it("is not split again where it is a part itself", async () => {
    const model = scriptedModel(circling, () => ({
      calls: [["write_program", { instructions: [part("Half"), part("Part 2")] }]],
    }));
    const run = await compute(opened({ model }), await submission());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 3, instructions: 4 });
    expect(model.requests.filter(isSplitting)).toHaveLength(1);
  });

  it("is not split beyond the number of instructions that the user allows", async () => {
    const model = scriptedModel(circling, () => parts);
    const run = await compute(opened({ model }), await submission({ steps: 3 }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", instructions: 3 });
    expect(model.requests.filter(isSplitting)).toEqual([]);
  });

  it("replays to the same tree, asking for the same", async () => {
    const machine = opened({ model: scriptedModel(circling, () => parts) });
    const run = await compute(machine, await submission());
    const { treeHash, expected, turns, difference } = await machine.replay(run.id);
    expect(difference).toBeUndefined();
    expect(treeHash).toBe(expected);
    expect(turns).toBe(run.turns);
  });
});

describe("a run that did not wait, since its budget leaves less than its program may cost", () => {
  it("does not wait in a replay either, which has no budget", async () => {
    const machine = opened({ model: scriptedModel(circling, () => parts) });
    const asked = await submission({ budget: { usd: 0.8 }, askAbove: 0.9 });
    const run = await compute(machine, { ...asked, profile: { ...asked.profile, price: { input: 1, output: 2 } } });
    expect(run).toMatchObject({ status: "completed", instructions: 4 });
    expect(run.consent).toBeUndefined();
    const { treeHash, expected, turns, difference } = await machine.replay(run.id);
    expect([difference, treeHash, turns]).toEqual([undefined, expected, run.turns]);
  });
});

describe("a process that is killed while an instruction is split", () => {
  it.each(["before", "after"] as const)("%s any of its calls leaves a run that another ends alike", async (when) => {
    const mortal = {
      submission: await submission(),
      model: () => scriptedModel(circling, () => parts),
      homes: machines,
    };
    const expected = await throughDeaths(mortal, []);
    expect(expected.run).toMatchObject({ status: "completed", instructions: 4 });
    for (const call of sampledCalls(60, expected.boundaries)) {
      const { run, hash, instructions } = await throughDeaths(mortal, [{ call, when }]);
      expect(run, `${call}`).toMatchObject({ status: "completed", instructions: 4, packed: 4, files: 5 });
      expect(hash, `${call}`).toBe(expected.hash);
      expect(instructions.map(({ status }) => status)).toEqual(Array(4).fill("accepted"));
    }
  });
});
