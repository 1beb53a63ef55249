/** What a run has stored is damaged: it ends with the name of what is, keeps what is whole, and guesses nothing. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { outputTree } from "../../lib/control/files/run-tree.ts";
import { programOf } from "../../lib/control/program/stored-program.ts";
import { ModelError } from "../../lib/core/errors.ts";
import { EVALUATION_MS, INVOCATION_RESERVE_MS } from "../../lib/core/limits.ts";
import type { FileStore, ModelRequest } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { fileStoreKeys, instructionKey, turnKey } from "../../lib/registry/keys.ts";
import { alwaysGreen, aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, scriptedModel, programOf as scriptedProgram, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();

const works = writerOf(3, (instruction) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }]);
const never = new AbortController().signal;
const TORN = new TextEncoder().encode('{"inputs": {"eli');

/** Stopped by its model server after the first turn of instruction 2, or a later one. */
async function stopped(storage?: Storage, after = 1) {
  let refuses = true;
  const model = scriptedModel((request) => {
    const { instruction, answers } = placeOf(request);
    if (refuses && instruction === 2 && answers === after)
      throw new ModelError("no", { kind: "credentials", perhapsPaid: false });
    if (refuses && instruction === 2 && answers > 0) return { text: `Thinking, ${answers}.` };
    return works(request);
  });
  const machine = aMachine({ model, evaluator: alwaysGreen, ...(storage ? { storage } : {}) });
  machines.push(machine);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
  expect(run).toMatchObject({ reason: "credentials", packed: 1 });
  refuses = false;
  const asked = model.requests.length;
  return { machine, run, asked: () => model.requests.length - asked };
}

/** Every invocation ends right after an answer, before its effects. */
async function cutShort(storage: Storage) {
  let remaining = 800_000;
  const inner = scriptedModel(works);
  const model = {
    async ask(request: ModelRequest) {
      remaining = INVOCATION_RESERVE_MS + EVALUATION_MS - 1;
      return inner.ask(request);
    },
  };
  const machine = aMachine({ model, evaluator: alwaysGreen, storage });
  machines.push(machine);
  const program = { instructions: scriptedProgram(1), requirements: [] };
  const { id } = await machine.submit(await aSubmission({ options: { reflect: 0 }, submission: { program } }));
  const { plan, execute } = createHandlers(machine.world);
  const invocation = { remainingMs: () => remaining, signal: never };
  await plan({ runId: id, epoch: 1 }, invocation);
  const again = async () => {
    remaining = 800_000;
    return execute({ runId: id, epoch: 1 }, invocation);
  };
  await again();
  return { machine, id, again };
}

async function resumed(machine: TestMachine, { id }: Run): Promise<Run> {
  await machine.resume(id, {});
  return machine.compute(id, never);
}

/** One number of what was noted of the turn is another one. */
const changedInside = (bytes: Uint8Array = TORN): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(bytes).replace(/"views":0/, '"views":1'));

type Damage = (files: FileStore, key: string) => Promise<void>;
const damages: [string, Damage][] = [
  ["missing", (files, key) => files.remove(key)],
  ["truncated", async (files, key) => files.put(key, ((await files.get(key)) ?? TORN).slice(0, -7))],
  ["not JSON", (files, key) => files.put(key, TORN)],
  ["other JSON of the same shape", async (files, key) => files.put(key, changedInside(await files.get(key)))],
  ["of another shape", (files, key) => files.put(key, new TextEncoder().encode('{"answer": 5}'))],
];
const stores: [string, () => Storage | undefined][] = [
  ["on disk", () => undefined],
  ["in another file store", lastingStorage],
];

describe.each(stores)("a journal entry %s", (_, storage) => {
  it.each(damages)(
    "that is %s ends the run, named; no model is asked, and what was accepted is kept",
    async (_, harm) => {
      for (const body of ["answer", "effects"] as const) {
        const { machine, run, asked } = await stopped(storage());
        const at = { instruction: 2, turn: 1, attempt: 0 };
        const turn = (await machine.registry.turns(run.id, 2))[0];
        const key = fileStoreKeys(run.id)[body]({ ...at, attempt: turn?.attempt ?? 0 });
        await harm(machine.files, key);
        const ended = await resumed(machine, run);
        expect(ended).toMatchObject({ status: "failed", reason: "damaged", packed: 1 });
        expect(ended.detail).toContain(`Entry 2.1 of the journal (its ${body}) of run ${run.id} is damaged`);
        expect(ended.detail).toContain(key);
        expect(ended.detail).toContain("accepted up to instruction 1 is kept");
        expect(asked()).toBe(0);
        expect([...(await outputTree(machine.files, ended)).keys()]).toEqual(["f1.txt"]);
        await expect(machine.replay(run.id)).rejects.toThrow(`Entry 2.1 of the journal (its ${body})`);
      }
    },
  );

  it("that is put back lets the run go on to its end", async () => {
    const { machine, run } = await stopped(storage());
    const [turn] = await machine.registry.turns(run.id, 2);
    const key = turn?.answerKey ?? "";
    const whole = (await machine.files.get(key)) ?? TORN;
    await machine.files.put(key, TORN);
    expect(await resumed(machine, run)).toMatchObject({ reason: "damaged" });
    await machine.files.put(key, whole);
    expect(await resumed(machine, run)).toMatchObject({ status: "completed", files: 3 });
  });
});

describe("what else is stored", () => {
  it.each<[string, Damage]>([
    ["missing", (files, key) => files.remove(key)],
    ["not what was stored", (files, key) => files.put(key, TORN)],
  ])("a blob that is %s ends the run, named", async (how, harm) => {
    const { machine, run } = await stopped();
    const entry = await machine.registry.file(run.id, "f2.txt");
    const key = fileStoreKeys(run.id).blob(entry?.sha256 ?? "");
    await harm(machine.files, key);
    const ended = await resumed(machine, run);
    expect(ended).toMatchObject({ status: "failed", reason: "damaged", packed: 1 });
    expect(ended.detail).toContain(`A stored file of run ${run.id} is damaged: it is ${how} (${key})`);
  });

  it("a pack ends the run, and the one before it can still be had", async () => {
    for (const bytes of [undefined, TORN]) {
      const { machine, run } = await stopped();
      const key = fileStoreKeys(run.id).changes(1);
      await (bytes ? machine.files.put(key, bytes) : machine.files.remove(key));
      const ended = await resumed(machine, run);
      expect(ended).toMatchObject({ status: "failed", reason: "damaged" });
      expect(ended.detail).toContain(`The pack of instruction 1 of run ${run.id} is damaged`);
      const refusal = await outputTree(machine.files, ended).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ exitCode: 6, remedy: { command: "get", args: [run.id, "--at", "0"] } });
    }
  });

  it("a pack whose contents changed is found where they are unpacked", async () => {
    const { machine, run } = await stopped();
    const key = fileStoreKeys(run.id).changes(1);
    const pack = (await machine.files.get(key)) ?? TORN;
    const at = Buffer.from(pack).indexOf("text 1");
    await machine.files.put(
      key,
      pack.map((byte, index) => (index === at ? byte + 1 : byte)),
    );
    await expect(outputTree(machine.files, run)).rejects.toThrow(`The pack of instruction 1 of run ${run.id}`);
  });

  it("an item of the registry is named, and ends the run", async () => {
    const storage = lastingStorage();
    const { machine, run } = await stopped(storage);
    const key = { pk: `RUN#${run.id}`, sk: "TURN#000002#0001" };
    await storage.table.transact([{ update: key, set: { changes: "gone" } }]);
    const ended = await resumed(machine, run);
    expect(ended).toMatchObject({ status: "failed", reason: "damaged" });
    expect(ended.detail).toContain("TURN#000002#0001");
  });

  it.each([
    ["first", 1, 3],
    ["middle", 2, 3],
    ["last", 3, 3],
    ["only", 1, 1],
  ])("the %s turn's item that is missing ends the run, named", async (_, missing, turns) => {
    const storage = lastingStorage();
    const { machine, run, asked } = await stopped(storage, turns);
    expect(await machine.registry.turns(run.id, 2)).toHaveLength(turns);
    await storage.table.transact([{ delete: turnKey(run.id, { instruction: 2, turn: missing }) }]);
    const ended = await resumed(machine, run);
    expect(ended).toMatchObject({ status: "failed", reason: "damaged", packed: 1 });
    expect(ended.detail).toContain(
      `The item TURN#000002#000${missing} of run ${run.id} in the registry is damaged: it is missing`,
    );
    expect(asked()).toBe(0);
  });

  it("the item of a turn that was answered and not yet committed is missed too: its answer was paid for", async () => {
    const storage = lastingStorage();
    const { machine, id, again } = await cutShort(storage);
    expect(await machine.registry.turns(id, 1)).toMatchObject([{ state: "answered" }]);
    await storage.table.transact([{ delete: turnKey(id, { instruction: 1, turn: 1 }) }]);
    expect(await again()).toEqual({ next: "stop" });
    const ended = await machine.registry.run(id);
    expect(ended).toMatchObject({ status: "failed", reason: "damaged" });
    expect(ended?.detail).toContain("TURN#000001#0001");
  });

  it("an instruction's item that is missing ends the run, named, and a request for the program fails with its name", async () => {
    const storage = lastingStorage();
    const { machine, run, asked } = await stopped(storage);
    await storage.table.transact([{ delete: instructionKey(run.id, 2) }]);
    const named = `The item INSTR#000002 of run ${run.id} in the registry is damaged: it is missing`;
    await expect(programOf(machine, run)).rejects.toThrow(named);
    const ended = await resumed(machine, run);
    expect(ended).toMatchObject({ status: "failed", reason: "damaged", packed: 1 });
    expect(ended.detail).toContain(named);
    expect(asked()).toBe(0);
  });

  it("a program without its last instruction is not taken for a whole one", async () => {
    const storage = lastingStorage();
    const { machine, run } = await stopped(storage);
    await storage.table.transact([{ delete: instructionKey(run.id, 3) }]);
    await expect(programOf(machine, run)).rejects.toThrow(`The item INSTR#000003 of run ${run.id}`);
  });

  it("the task ends the run, named", async () => {
    const { machine, run } = await stopped();
    await machine.files.remove(fileStoreKeys(run.id).task);
    expect((await resumed(machine, run)).detail).toContain(
      `The stored task of run ${run.id} is damaged: it is missing`,
    );
  });
});

describe("the command", () => {
  it("says which entry is damaged, what is kept, and what to type next; so do log and replay", async () => {
    const { aBench } = await import("../doubles/command.ts");
    const { startProgramServer } = await import("../servers/program-server.ts");
    const { reply } = await import("../servers/scripted-faults.ts");
    const refusal = reply(401, { error: { message: "wrong key" } });
    const server = await startProgramServer({ instructions: 3, faults: { 6: refusal } });
    const bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
    try {
      expect((await bench.run(["Write text files.", "--model", "gpt-4o", "--out", "out"])).code).toBe(3);
      const id = JSON.parse((await bench.run(["status", "--json"])).stdout).id;
      const folder = join(bench.folder, ".l2mac", "runs", id, "journal", "000002");
      const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".answer.json"));
      writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, 40));
      const ended = await bench.run(["resume"]);
      expect(ended.code).toBe(6);
      expect(ended.stderr).toContain(`Entry 2.1 of the journal (its answer) of run ${id} is damaged: it is not JSON`);
      expect(ended.stderr).toMatch(/^Kept: 1 of 3 instructions/m);
      expect(ended.stderr).toMatch(/^Next: l2mac get \w+ {3}\(then start a new run .* --from/m);
      expect(ended.stderr).not.toMatch(/^\s+at /m);
      expect(await bench.run(["replay"])).toMatchObject({ code: 6, stderr: expect.stringContaining("Entry 2.1 of") });
      expect((await bench.run(["log"])).stdout).toContain("Entry 2.1 of the journal");
      const got = await bench.run(["get", "--out", "kept"]);
      expect(got.code).toBe(0);
      expect(readdirSync(join(bench.folder, "kept"), { recursive: true })).toContain(join("parts", "part-1.txt"));
      const before = await bench.run(["get", "--at", "0", "--out", "none"]);
      expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining("has no files yet") });
    } finally {
      bench.remove();
      await server.close();
    }
  });
});
