/** The protocols where they are put to the test: races, limits, recoveries and replays that ordinary runs seldom meet. */
import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
afterEach(() => {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
});

function opened(parts: Parameters<typeof aMachine>[0]): TestMachine {
  const machine = aMachine(parts);
  machines.push(machine);
  return machine;
}

const oneFile = (instruction: number) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }];
const never = new AbortController().signal;
const unreflected = { options: { reflect: 0 } };

/** A model that answers the turns of each instruction in order, and then completes it. */
const turnsOf = (instructions: Said[][]) =>
  scriptedModel((request: ModelRequest) => {
    const { planning, instruction, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(instructions.length) }]] };
    return instructions[instruction - 1]?.[answers] ?? { calls: [["complete_instruction", { summary: "done" }]] };
  });

const write = (...paths: string[]): [string, object] => [
  "write_files",
  { files: paths.map((path) => ({ path, content: `in ${path}\n` })) },
];
const remove = (...paths: string[]): [string, object] => ["delete_files", { paths }];

async function packOf(machine: TestMachine, runId: string): Promise<string[]> {
  const run = await machine.registry.run(runId);
  const pack = await machine.files.get(fileStoreKeys(runId).pack(run?.packed ?? -1));
  return pack ? [...unpackTree(pack).keys()] : [];
}
const entriesOf = async (machine: TestMachine, runId: string) =>
  (await machine.registry.allFiles(runId)).map(({ path }) => path);

describe("a run in the moment before it is computed", () => {
  it("is not taken for dead by another command, neither when it is new nor when it was resumed", async () => {
    const machine = opened({ model: scriptedModel(writerOf(1, oneFile)) });
    const other = opened({ model: scriptedModel(writerOf(1, oneFile)), home: machine.home });
    const run = await machine.submit(await aSubmission({}));
    await other.sweep();
    expect(await machine.registry.run(run.id)).toMatchObject({ status: "queued", epoch: 1 });
    const stop = new AbortController();
    stop.abort();
    expect(await machine.compute(run.id, stop.signal)).toMatchObject({ status: "waiting", reason: "interrupted" });
    await machine.resume(run.id, {});
    await other.sweep();
    await expect(other.resume(run.id, {})).rejects.toThrow(/computed by another/);
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });

  it("is swept when the machine that had it was closed", async () => {
    const machine = opened({ model: scriptedModel(writerOf(1, oneFile)) });
    const other = opened({ model: scriptedModel(writerOf(1, oneFile)), home: machine.home });
    const run = await machine.submit(await aSubmission({}));
    machines.splice(machines.indexOf(machine), 1)[0]?.close();
    await other.sweep();
    expect(await other.registry.run(run.id)).toMatchObject({ status: "waiting", reason: "interrupted" });
  });
});

describe("what one turn does to the tree", () => {
  it("is in the pack as it is in the directory: files renamed by case, files that become folders, and back", async () => {
    const model = turnsOf([
      [{ calls: [write("readme.md", "a", "dir/x", "same.txt")] }],
      [{ calls: [remove("readme.md", "a", "dir/x"), write("README.md", "a/b", "dir")] }],
      [{ calls: [remove("a/b"), write("A"), remove("README.md"), write("Readme.md"), remove("Readme.md")] }],
    ]);
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", files: 3 });
    expect(await packOf(machine, run.id)).toEqual(["A", "dir", "same.txt"]);
    expect((await entriesOf(machine, run.id)).toSorted()).toEqual(["A", "dir", "same.txt"]);
    expect(await machine.files.get(`runs/${run.id}/files/readme.md`)).toBeUndefined();
    expect(await machine.replay(run.id)).not.toHaveProperty("difference");
  });

  it("is refused beyond eighty paths, and what is refused can be done in the next turn", async () => {
    const paths = Array.from({ length: 160 }, (_, index) => `f${index}.txt`);
    const [first, second] = [paths.slice(0, 80), paths.slice(80)];
    const model = turnsOf([
      [
        { calls: [write(...first)] },
        { calls: [write(...second)] },
        { calls: [remove(...first), remove(...second)] },
        { calls: [remove(...second.slice(1))] },
      ],
    ]);
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", files: 1 });
    expect(model.requests.map(lastText).join("\n")).toContain("Nothing was deleted.\nNot deleted: f80.txt.");
    expect(await packOf(machine, run.id)).toEqual(["f80.txt"]);
  });

  it("fits one transaction at its largest: eighty paths of five hundred bytes, and the acceptance", async () => {
    const folder = ["a", "b", "c"].map((first) => first.padEnd(80, "ä")).join("/");
    const paths = Array.from({ length: 80 }, (_, index) => `${folder}/${index}.txt`);
    const model = turnsOf([[{ calls: [write(...paths), ["complete_instruction", { summary: "all" }]] }]]);
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", files: 80 });
  });
});
