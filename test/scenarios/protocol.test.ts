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

describe("what a model writes without measure", () => {
  it("in a summary or an advice is handed over cut, so that it fits its item and the next conversation", async () => {
    const endless = `begin ${"word ".repeat(100_000)}\ud83d end`;
    const model = turnsOf([[{ calls: [["complete_instruction", { summary: endless, next: endless }]] }], []]);
    const machine = opened({ model });
    const submission = await aSubmission({
      ...unreflected,
      profile: { contextWindow: 16_384, maxOutputTokens: 4_096 },
    });
    const run = await compute(machine, submission);
    expect(run).toMatchObject({ status: "completed", packed: 2 });
    const summary = (await machine.registry.instruction(run.id, 1))?.summary ?? "";
    expect(summary).toMatch(/^begin word .* characters left out .* end$/s);
    expect(summary.isWellFormed()).toBe(true);
    expect(model.requests.at(-1)?.messages[1]?.content).toContain(summary);
  });

  it("in a requirement is refused, and the model may write it shorter", async () => {
    const requirements = (...list: [string, string][]) => list.map(([id, text]) => ({ id, text }));
    const drafts = [
      requirements(["R1", "x".repeat(500_000)]),
      requirements([`R1${".1".repeat(600)}`, "deep"]),
      requirements(["R1", "short"]),
    ];
    const model = scriptedModel((request, call) =>
      placeOf(request).planning
        ? { calls: [["write_program", { instructions: programOf(1), requirements: drafts[call - 1] }]] }
        : { calls: [["complete_instruction", { summary: "done" }]] },
    );
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", turns: 4 });
    expect(await machine.registry.requirements(run.id)).toMatchObject([{ id: "R1", text: "short" }]);
  });
});
