/** Packs: a step stores what it changed, the tree after every step comes back byte for byte, and old whole ones go. */
import { describe, expect, it } from "vitest";
import { findChanges, isWhole, packBase, readPack } from "../../lib/control/files/packs.ts";
import { prunePacks } from "../../lib/control/files/prune-packs.ts";
import { packedTree } from "../../lib/control/files/run-tree.ts";
import { PACKS_PER_WHOLE } from "../../lib/core/limits.ts";
import type { Change, FileStore } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { createMemoryFiles } from "../../lib/host/memory-files.ts";
import { layOut } from "../../lib/pack/layout.ts";
import { packTree, pickUpEntries } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { alwaysGreen, aMachine, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { programOf, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Steps that add a file, change one that another step wrote, and take one away. */
const filesOf = (step: number) => [
  { path: `f${step % 7}.txt`, content: `text of step ${step}\n`.repeat(20) },
  { path: `only/${step}.txt`, content: `${step}\n` },
];
const changesOf = (step: number): Change[] =>
  filesOf(step).map(({ path, content }) => ({ path, content: bytes(content) }));

const STEPS = PACKS_PER_WHOLE + 3;

/** As versions before packs of changes wrote them: the whole tree after each step. */
function wholePacks(steps: number): Uint8Array[] {
  const packs = [packTree(undefined, [])];
  for (let step = 1; step <= steps; step += 1) {
    const gone: Change[] = step > 5 && step % 3 === 0 ? [{ path: `only/${step - 5}.txt`, content: null }] : [];
    packs.push(packTree(packs.at(-1), [...changesOf(step), ...gone]));
  }
  return packs;
}

describe("a run", () => {
  it("stores whole trees every so often, what changed in between, and gives each step's zip byte for byte", async () => {
    const model = scriptedModel(writerOf(STEPS, filesOf));
    const machine = aMachine({ model, evaluator: alwaysGreen });
    machines.push(machine);
    const program = { instructions: programOf(STEPS), requirements: [] };
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 }, submission: { program } }));
    // An earlier version can go on with a run that has no packs of changes yet.
    const fresh = await machine.submit(await aSubmission({}));
    expect([fresh.format, run.format]).toEqual([1, 2]);
    expect(run).toMatchObject({ status: "completed", packed: STEPS });
    let expected = packTree(undefined, []);
    const stored: number[] = [];
    for (let step = 0; step <= STEPS; step += 1) {
      if (step > 0) expected = packTree(expected, changesOf(step));
      expect(Buffer.compare(await readPack(machine.files, run.id, step), expected), `step ${step}`).toBe(0);
      if (await machine.files.get(fileStoreKeys(run.id).pack(step))) stored.push(step);
      const parts = await packBase(machine.files, { ...run, packed: step }).parts?.();
      expect(parts?.length, `parts of step ${step}`).toBeLessThanOrEqual(3);
    }
    expect(stored).toEqual([0, PACKS_PER_WHOLE]);
    expect(run).toMatchObject({ packedBytes: expected.length, outputFiles: run.files });
    const output = await machine.files.get(fileStoreKeys(run.id).output(`${run.name}.zip`));
    expect(Buffer.compare(output ?? new Uint8Array(), expected)).toBe(0);
    await changesMissing(machine.files, run);
  });
});

/** What is lost is named by the step that lost it, and steps before it are whole. */
async function changesMissing(files: FileStore, run: Run): Promise<void> {
  const key = fileStoreKeys(run.id).changes(10);
  const lost = await files.get(key);
  await files.remove(key);
  await expect(packedTree(files, run, 13)).rejects.toThrow(`The pack of instruction 10 of run ${run.id} is damaged`);
  expect((await packedTree(files, run, 9)).has("only/9.txt")).toBe(true);
  await files.put(key, (await files.get(fileStoreKeys(run.id).changes(9))) ?? bytes(""));
  await expect(packedTree(files, run, 13)).rejects.toThrow(
    `The pack of instruction 10 of run ${run.id} is damaged: a later pack was made from other bytes`,
  );
  await files.put(key, lost ?? bytes(""));
}

const RUN = "01M7ZR63C0YXE0KT7F3MTSJJGS";

async function homeOfEarlierVersion(packs: Uint8Array[]): Promise<FileStore> {
  const files = createMemoryFiles();
  for (const [number, pack] of packs.entries()) await files.put(fileStoreKeys(RUN).pack(number), pack);
  return files;
}

async function expectAll(files: FileStore, packs: Uint8Array[], where: string): Promise<void> {
  for (const [number, pack] of packs.entries())
    expect(Buffer.compare(await readPack(files, RUN, number), pack), `${where}: pack ${number}`).toBe(0);
}

describe("whole packs that an earlier version wrote at each step", () => {
  const packs = wholePacks(3 * PACKS_PER_WHOLE);
  const latest = packs.length - 1;

  it("are replaced by changes but for every fiftieth and the last ones, and come back byte for byte", async () => {
    const files = await homeOfEarlierVersion(packs);
    await prunePacks(files, RUN, latest);
    const left: number[] = [];
    for (const number of packs.keys()) if (await files.get(fileStoreKeys(RUN).pack(number))) left.push(number);
    expect(left.filter((number) => number < latest - PACKS_PER_WHOLE)).toEqual([0, PACKS_PER_WHOLE]);
    expect(left.filter((number) => number > latest - 20)).toHaveLength(20);
    await expectAll(files, packs, "pruned");
  });

  it("are all there to be read if pruning is killed at any call, and the next pruning ends it", async () => {
    for (const writes of [1, 2, 50, 97]) {
      const files = await homeOfEarlierVersion(packs.slice(0, 2 * PACKS_PER_WHOLE + 21));
      let left = writes;
      const dying =
        <Args extends unknown[]>(work: (...args: Args) => Promise<void>) =>
        (...args: Args) => {
          if (left-- <= 0) return Promise.reject(new Error("killed"));
          return work(...args);
        };
      const mortal = { ...files, putOnce: dying(files.putOnce), remove: dying(files.remove) };
      await expect(prunePacks(mortal, RUN, 2 * PACKS_PER_WHOLE + 20)).rejects.toThrow("killed");
      await expectAll(files, packs.slice(0, 2 * PACKS_PER_WHOLE + 21), `killed after ${writes}`);
      await prunePacks(files, RUN, 2 * PACKS_PER_WHOLE + 20);
      for (let number = 1; number < 2 * PACKS_PER_WHOLE; number += 1)
        expect((await findChanges(files, RUN, number)) !== undefined, `${number}`).toBe(!isWhole(number));
    }
  });

  it("are found by who had looked for changes just before they were replaced", async () => {
    const files = await homeOfEarlierVersion(packs);
    let pruned: Promise<void> | undefined;
    const racing: FileStore = {
      ...files,
      async get(key) {
        // The reader has found no changes of step 30, and asks for its whole pack.
        if (key === fileStoreKeys(RUN).pack(30)) pruned ??= prunePacks(files, RUN, latest);
        await pruned;
        return files.get(key);
      },
    };
    expect(Buffer.compare(await readPack(racing, RUN, 30), packs[30] ?? bytes(""))).toBe(0);
    expect(pruned).toBeDefined();
  });

  it("are pruned to the end in several passes, with the block in which this version went on", async () => {
    const many = wholePacks(6 * PACKS_PER_WHOLE + 10);
    const files = await homeOfEarlierVersion(many);
    const latest = 8 * PACKS_PER_WHOLE;
    for (let pass = 0; pass < 2; pass += 1) await prunePacks(files, RUN, latest);
    const left: number[] = [];
    for (const number of many.keys()) if (await files.get(fileStoreKeys(RUN).pack(number))) left.push(number);
    expect(left.filter((number) => !isWhole(number))).toEqual([]);
    await expectAll(files, many, "pruned");
  });

  it("that are damaged stay as they are, and keep no other from being pruned", async () => {
    const files = await homeOfEarlierVersion(packs);
    await files.remove(fileStoreKeys(RUN).pack(3));
    await prunePacks(files, RUN, latest);
    expect(await files.get(fileStoreKeys(RUN).pack(4))).toBeDefined();
    expect(await findChanges(files, RUN, PACKS_PER_WHOLE + 1)).toBeDefined();
  });

  it("that would not come back byte for byte stay", async () => {
    const files = await homeOfEarlierVersion(packs);
    const entries = pickUpEntries(packs[30] ?? bytes(""));
    const odd = layOut([...entries.values()].reverse());
    const key = fileStoreKeys(RUN).pack(30);
    await files.put(key, odd);
    await prunePacks(files, RUN, latest);
    expect(await files.get(key)).toEqual(odd);
    expect(Buffer.compare(await readPack(files, RUN, 31), packs[31] ?? bytes(""))).toBe(0);
  });
});
