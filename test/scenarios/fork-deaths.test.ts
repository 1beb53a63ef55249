/** A fork whose process is killed while it copies, and runs that are deleted meanwhile. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { look } from "../doubles/deaths.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { playSampledDeaths } from "../doubles/sampled-calls.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;
const writer = (text: string) => scriptedModel(writerOf(3, (n) => [{ path: `${text}${n}.txt`, content: text }]));

const files = new Map([["old.txt", new TextEncoder().encode("old")]]);
const whole = async (machine: TestMachine) =>
  compute(machine, await aSubmission({ options: { reflect: 0, from: true }, submission: { from: files } }));

const others = async (machine: TestMachine, run: Run): Promise<Run[]> => {
  const { runs } = await machine.registry.runs({ owner: "local", limit: 10 });
  return runs.filter(({ id }) => id !== run.id);
};

describe("a fork by a process that is killed", () => {
  it("at any call of table or file store is there whole, or not at all, and pays no call twice", async () => {
    const lasting = lastingStorage();
    const first = opened({ storage: lasting, model: writer("f") });
    const run = await whole(first);
    const before = await look(first, run.id);
    await playSampledDeaths(async (death) => {
      const mortal = mortalStorage(lasting, death);
      const model = writer("g");
      const dying = opened({ storage: mortal, model });
      const begin = async () => compute(dying, await submissionOfFork(dying, run, { at: "2.1", name: "fork" }));
      await begin().catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      const next = opened({ storage: lasting, model });
      await next.sweep();
      expect(await look(next, run.id)).toEqual(before);
      for (const left of await others(next, run)) {
        if (left.status === "waiting") {
          await next.resume(left.id, {});
          await next.compute(left.id, never);
        }
        const ended = await look(next, left.id);
        expect(ended.run).toMatchObject({ status: "completed", instructions: 3, turns: 3 });
        expect(ended.paths.toSorted()).toEqual(["f1.txt", "f2.txt", "g3.txt", "old.txt"]);
        // Of the call in flight the answer may be lost.
        expect(model.requests.length).toBeLessThanOrEqual(4);
        const { difference } = await next.replay(left.id);
        expect(difference).toBeUndefined();
        expect(await next.remove(left.id)).toBe("deleted");
      }
      return mortal.calls();
    });
  });
});

describe("a run that is deleted", () => {
  it("while a fork copies it is gone for everybody, and its bytes go once they are copied", async () => {
    const machine = opened({ model: writer("f") });
    const run = await whole(machine);
    const forked = await machine.submit(await submissionOfFork(machine, run, { at: "2", name: "fork" }));
    expect(await machine.remove(run.id)).toBe("deleting");
    expect(await machine.registry.run(run.id)).toBeUndefined();
    expect(await machine.compute(forked.id, never)).toMatchObject({ status: "completed", calls: 2 });
    await machine.sweep();
    expect(await machine.registry.stored(run.id)).toBeUndefined();
    expect(await machine.files.get(fileStoreKeys(run.id).task)).toBeUndefined();
    expect((await machine.replay(forked.id)).difference).toBeUndefined();
  });

  it("before its fork is created keeps that from being created", async () => {
    const machine = opened({ model: writer("f") });
    const run = await whole(machine);
    const submission = await submissionOfFork(machine, run, { at: "2", name: "fork" });
    const { files: store } = machine;
    const { put } = store;
    let removed: string | undefined;
    // The deletion comes in between, once all that the fork needs is read.
    store.put = async (key, bytes) => {
      if (key.endsWith("/fork.json") && removed === undefined) removed = await machine.remove(run.id);
      return put(key, bytes);
    };
    await expect(machine.submit(submission)).rejects.toThrow("was deleted meanwhile. Nothing was created.");
    expect(removed).toBe("deleted");
    expect(await others(machine, run)).toEqual([]);
    expect(await machine.registry.copyingFork(run.id)).toBeUndefined();
  });
});
