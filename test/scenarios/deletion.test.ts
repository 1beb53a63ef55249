/** Deleting a run: nothing of it stays, also where the process that deletes it is killed at any call. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deleteRun } from "../../lib/control/lifecycle/delete-run.ts";
import { openLocalMachine } from "../../lib/local/open.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { alwaysGreen, aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();
const opened = (parts: Parameters<typeof aMachine>[0]): TestMachine => {
  const machine = aMachine({ evaluator: alwaysGreen, ...parts });
  machines.push(machine);
  return machine;
};
const model = () => scriptedModel(writerOf(2, (n) => [{ path: `f${n}.txt`, content: `text ${n}\n` }]));

describe("a run that is deleted", () => {
  it("leaves nothing in the home but what other runs have", async () => {
    const machine = opened({ model: model() });
    const [gone, kept] = [await compute(machine, await aSubmission({})), await compute(machine, await aSubmission({}))];
    expect(await machine.remove(gone.id)).toBe("deleted");
    expect(readdirSync(join(machine.home, "runs"))).toEqual([kept.id]);
    expect(readdirSync(join(machine.home, "locks"))).toEqual([]);
    expect((await machine.registry.runs({ owner: "local", limit: 10 })).runs.map(({ id }) => id)).toEqual([kept.id]);
    expect(await machine.registry.events(gone.id, { after: 0, limit: 10 })).toEqual([]);
    await expect(machine.remove(gone.id)).rejects.toThrow("There is no run");
  });

  it("leaves no tree of the evaluator", async () => {
    const computed = opened({ model: model() });
    const { id } = await compute(computed, await aSubmission({}));
    const machine = openLocalMachine({ home: computed.home, env: {} });
    const trees = join(machine.home, "cache", "trees");
    for (const run of [id, "OTHER"]) {
      mkdirSync(join(trees, run, "tree"), { recursive: true });
      writeFileSync(join(trees, run, "tree", "f"), "x");
    }
    await machine.remove(id);
    machine.close();
    expect(readdirSync(trees)).toEqual(["OTHER"]);
  });

  it("is refused while it is computed, or asleep until a server takes calls again, and nothing of it goes", async () => {
    const machine = opened({ model: model() });
    const queued = await machine.submit(await aSubmission({}));
    await expect(machine.remove(queued.id)).rejects.toThrow("is queued: only a run that is not being computed");
    // It was neither lost nor let go.
    expect((await machine.compute(queued.id, new AbortController().signal)).status).toBe("completed");
    const run = await machine.submit(await aSubmission({}));
    await expect(machine.remove(run.id)).rejects.toMatchObject({
      exitCode: 2,
      remedy: { command: "cancel", args: [run.id] },
    });
    const seen = await machine.registry.run(run.id);
    if (!seen) throw new Error("gone");
    const asleep = { status: "waiting", reason: "rate_limited", waitUntil: new Date().toISOString() } as const;
    await machine.registry.change(seen, asleep);
    await expect(machine.remove(run.id)).rejects.toThrow("is waiting: only a run that is not being computed");
    expect(await machine.files.get(fileStoreKeys(run.id).task)).toBeDefined();
  });

  it("frees its idempotency key: the same submission makes a new run", async () => {
    const machine = opened({ model: model() });
    const submission = await aSubmission({ submission: { idempotency: { caller: "local", key: "k", bodyHash: "h" } } });
    const first = await machine.submitOnce(submission);
    if ("conflict" in first) throw new Error("conflict");
    await machine.compute(first.run.id, new AbortController().signal);
    expect(await machine.submitOnce(submission)).toMatchObject({ isNew: false });
    await machine.remove(first.run.id);
    expect(await machine.submitOnce(submission)).toMatchObject({ isNew: true });
  });
});

describe("a deletion whose process is killed", () => {
  it("at any call is finished by the next command, and until then half a run is never seen", async () => {
    for (let call = 1, died = true; died; call += 1) {
      for (const when of ["before", "after"] as const) {
        const lasting = lastingStorage();
        const machine = opened({ model: model(), storage: lasting });
        const { id } = await compute(machine, await aSubmission({}));
        const mortal = mortalStorage(lasting, { call, when });
        const dying = opened({ storage: mortal });
        await dying.remove(id).catch((error: unknown) => {
          if (!mortal.isDead()) throw error;
        });
        died = mortal.isDead();
        const stored = await machine.registry.stored(id);
        const whole = await machine.files.get(fileStoreKeys(id).task);
        if (await machine.registry.run(id)) expect(whole).toBeDefined();
        const next = opened({ storage: lasting });
        await next.sweep();
        if (stored && !stored.deleting) await next.remove(id);
        expect(await lasting.table.query(`RUN#${id}`, { prefix: "" })).toEqual([]);
        expect(await lasting.files.get(fileStoreKeys(id).task)).toBeUndefined();
      }
    }
  });

  it("is not taken up while its process lives", async () => {
    const lasting = lastingStorage();
    const machine = opened({ model: model(), storage: lasting });
    const { id } = await compute(machine, await aSubmission({}));
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = {
      ...lasting,
      files: {
        ...lasting.files,
        async removeAll(prefix: string) {
          reached.resolve();
          await released.promise;
          return lasting.files.removeAll(prefix);
        },
      },
    };
    const slow = opened({ storage: held, home: machine.home });
    const removing = slow.remove(id);
    await reached.promise;
    await machine.sweep();
    expect(await machine.registry.stored(id)).toMatchObject({ deleting: true });
    released.resolve();
    expect(await removing).toBe("deleted");
  });
});

it("a deletion that has no more time says so, and goes on later", async () => {
  const machine = opened({ model: model() });
  const { id } = await compute(machine, await aSubmission({}));
  expect(await deleteRun(machine, id, () => false)).toBe("deleting");
  expect(await machine.registry.run(id)).toBeUndefined();
  expect(await deleteRun(machine, id, () => true)).toBe("deleted");
  expect(existsSync(join(machine.home, fileStoreKeys(id).root))).toBe(false);
});
