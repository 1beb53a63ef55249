/** An instruction that goes in circles: it stops the run with the evidence, or is skipped, and leaves nothing behind. */
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { aSubmission, aVerdict, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const { machines, opened } = openedMachines();

const write = (path: string, content: string): [string, object] => ["write_files", { files: [{ path, content }] }];
const done: Said = { calls: [["complete_instruction", { summary: "done" }]] };

/** The second of three instructions edits, deletes, renames and adds files, then asks for the same again and again. */
function circling(request: ModelRequest): Said {
  const { planning, instruction, answers } = placeOf(request);
  if (planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
  if (instruction !== 2) return answers === 0 ? { calls: [write(`f${instruction}.txt`, "kept\n"), ...more] } : done;
  if (JSON.stringify(request.messages).includes("going in circles")) return { calls: [["list_files", {}]] };
  return DAMAGE[answers] ?? { calls: [["list_files", {}]] };
}
const more: [string, object][] = [write("readme.md", "one\n"), write("a", "a file\n")];
const DAMAGE: Said[] = [
  { calls: [["delete_files", { paths: ["a", "readme.md"] }], write("a/b.txt", "in a folder\n")] },
  { calls: [write("README.md", "renamed\n"), write("f1.txt", "damaged\n")] },
  { calls: [write("f1.txt", "damaged again\n"), write("new.txt", "new\n")] },
];
const ACCEPTED = { "f1.txt": "kept\n", "f3.txt": "kept\n", "readme.md": "one\n", a: "a file\n" };

const submission = (options: Partial<RunOptions> = {}) => aSubmission({ options: { reflect: 0, ...options } });

describe("a stuck instruction", () => {
  it("stops the run with what came back, how often, and the last verdict", async () => {
    const failing = aVerdict({ tests: { status: "failed", failed: 1, passed: 2 } });
    const model = scriptedModel((request) => {
      if (placeOf(request).planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      return { calls: [["run_checks", {}]] };
    });
    const machine = opened({ model, evaluator: { evaluate: async () => failing } });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 1 });
    expect(run.detail).toMatch(
      /Instruction 1 \(Part 1\): the same calls.*run_checks \{\} came 9 times; last verdict: .*tests/,
    );
    const { instructions, events } = await look(machine, run.id);
    const trap = { kind: "loop", times: 9, repeated: "run_checks {}", verdict: expect.stringContaining("1 failed") };
    expect(instructions[0]).toMatchObject({ status: "trapped", trap });
    expect(events.at(-2)).toMatchObject({ type: "trapped", instruction: 1, onTrap: "stop", trap });
    const report = JSON.parse(new TextDecoder().decode(await machine.files.get(`runs/${run.id}/report.json`)));
    expect(report.instructions[0]).toMatchObject({ status: "trapped", trap });
  });

  it("is skipped on request: the tree is again what was accepted, and the rest is computed on it", async () => {
    const model = scriptedModel(circling);
    const machine = opened({ model });
    const run = await compute(machine, await submission({ onTrap: "skip" }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 4, packed: 3, skipped: 1, files: 4 });
    expect(run.detail).toMatch(/Skipped 1 of 3 instructions.*instruction 2 \(Part 2\): the same calls/);
    const { tree, instructions, events, paths } = await look(machine, run.id);
    expect(tree).toEqual(ACCEPTED);
    expect(paths.toSorted()).toEqual(Object.keys(ACCEPTED).toSorted());
    expect(instructions.map(({ status }) => status)).toEqual(["accepted", "skipped", "accepted"]);
    expect(instructions[1]?.trap).toMatchObject({ kind: "loop", repeated: "list_files {}" });
    expect(events.filter(({ type }) => type === "trapped" || type === "instruction_skipped")).toHaveLength(2);
    expect(events.find(({ type }) => type === "instruction_skipped")).toMatchObject({ instruction: 2, paths: 6 });
    await expect(machine.resume(run.id, {})).rejects.toThrow(/all but what was skipped/);
  });

  it("tells the next instruction that it was skipped, and hands on its own hand-over", async () => {
    const model = scriptedModel(circling);
    await compute(opened({ model }), await submission({ onTrap: "skip" }));
    const next = model.requests.find((request) => placeOf(request).instruction === 3);
    const opening = next?.messages[1]?.content ?? "";
    expect(opening).toMatch(/Instruction 2 was skipped.*taken back/);
    expect(opening).toContain("Instruction 1 reported: done");
    expect(next && lastText(next)).toContain("f1.txt");
  });

  it("takes back more paths than one transaction holds", async () => {
    const files = (batch: number) =>
      Array.from({ length: 80 }, (_, index) => ({ path: `many/${batch}-${index}.txt`, content: `${batch}\n` }));
    const model = scriptedModel((request) => {
      const { planning, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      if (answers < 3 && !JSON.stringify(request.messages).includes("going in circles")) {
        return { calls: [["write_files", { files: files(answers) }]] };
      }
      return { calls: [["list_files", {}]] };
    });
    const machine = opened({ model });
    const run = await compute(machine, await submission({ onTrap: "skip" }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", files: 0, packed: 1, skipped: 1 });
    const turns = await machine.registry.turns(run.id, 1);
    expect(turns.filter(({ outcome }) => outcome === "discarded").map(({ changes }) => changes.length)).toEqual([
      80, 80, 80,
    ]);
    expect(await machine.registry.allFiles(run.id)).toEqual([]);
  });

  it("replays to the same tree, asking for the same", async () => {
    const machine = opened({ model: scriptedModel(circling) });
    const run = await compute(machine, await submission({ onTrap: "skip" }));
    const { treeHash, expected, turns, difference } = await machine.replay(run.id);
    expect(difference).toBeUndefined();
    expect(treeHash).toBe(expected);
    expect(turns).toBe(run.turns);
  });
});

describe("a process that is killed while an instruction is skipped", () => {
  it.each(["before", "after"] as const)("%s any of its calls leaves a run that another ends alike", async (when) => {
    const mortal = {
      submission: await submission({ onTrap: "skip" }),
      model: () => scriptedModel(circling),
      homes: machines,
    };
    const expected = await throughDeaths(mortal, []);
    expect(expected.tree).toEqual(ACCEPTED);
    for (const call of sampledCalls(90, expected.boundaries)) {
      const { run, tree, hash, instructions } = await throughDeaths(mortal, [{ call, when }]);
      expect(run, `${call}`).toMatchObject({ status: "partial", reason: "trapped", skipped: 1, packed: 3, files: 4 });
      expect(tree, `${call}`).toEqual(ACCEPTED);
      expect(hash, `${call}`).toBe(expected.hash);
      expect(instructions.map(({ status }) => status)).toEqual(["accepted", "skipped", "accepted"]);
    }
  });
});
