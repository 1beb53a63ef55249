/** A process that is frozen in the middle of a call, is taken for dead, and goes on when its run was completed by another. */
import { afterAll, describe, expect, it } from "vitest";
import type { Item } from "../../lib/core/ports.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { alwaysGreen, aMachine, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { wrapStorage } from "../doubles/wrapped-storage.ts";

const homes: TestMachine[] = [];
afterAll(() => {
  for (const machine of homes.splice(0)) machine.removeHome();
});

interface Pause {
  /** Resolves when the process stands still. */
  reached: Promise<void>;
  goOn(): void;
  calls(): number;
}

/** The n-th call waits before it takes effect. */
function pausingStorage(lasting: Storage, at: number): { storage: Storage; pause: Pause } {
  let calls = 0;
  const still = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const pausing =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      calls += 1;
      if (calls === at) {
        still.resolve();
        await released.promise;
      }
      return call(...given);
    };
  return {
    storage: wrapStorage(lasting, pausing),
    pause: { reached: still.promise, goOn: released.resolve, calls: () => calls },
  };
}

const script = () => scriptedModel(writerOf(2, (n) => [{ path: `f${n}.txt`, content: `text ${n}\n` }]));

/** Each has a home of its own, so that none sees the other's lock: as after a restart of the computer. */
function begin(storage: Storage, home?: string): TestMachine {
  const machine = aMachine({ model: script(), evaluator: alwaysGreen, storage, ...(home ? { home } : {}) });
  if (!home) homes.push(machine);
  return machine;
}

const itemsOf = (storage: Storage, runId: string): Promise<Item[]> =>
  storage.table.query(`RUN#${runId}`, { prefix: "", limit: 10_000 });

async function packsOf({ files }: Storage, runId: string): Promise<(Uint8Array | undefined)[]> {
  const keys = fileStoreKeys(runId);
  return Promise.all([keys.pack(0), keys.changes(1), keys.changes(2)].map((key) => files.get(key)));
}

const never = new AbortController().signal;

/** The run goes on in its next epoch, or its epoch's state is simply invoked again. */
type Takeover = "epoch" | "attempt";

/** Answers how many calls the zombie made until its end. */
async function standsStillAt(at: number, by: Takeover): Promise<number> {
  const lasting = lastingStorage();
  const [slowHome, quickHome] = homes.map(({ home }) => home);
  const quick = begin(lasting, quickHome);
  const { id } = await quick.submit(await aSubmission({ options: { reflect: 0 } }));
  const { storage, pause } = pausingStorage(lasting, at);
  const zombie = begin(storage, slowHome).compute(id, never);
  if ((await Promise.race([pause.reached, zombie])) !== undefined) return pause.calls();
  const before = await quick.registry.run(id);
  if (before?.status !== "completed") {
    if (by === "epoch") {
      await quick.sweep();
      await quick.resume(id, {});
    }
    expect(await quick.compute(id, never), `at ${at}`).toMatchObject({ status: "completed" });
  }
  const [items, packs] = [await itemsOf(lasting, id), await packsOf(lasting, id)];
  pause.goOn();
  expect(await zombie, `at ${at}`).toMatchObject({ status: "completed" });
  expect(await itemsOf(lasting, id), `at ${at}`).toEqual(items);
  expect(await packsOf(lasting, id), `at ${at}`).toEqual(packs);
  return pause.calls();
}

describe("a zombie", () => {
  it.each(["epoch", "attempt"] as const)(
    "of the %s before, which wakes at any of its calls, changes nothing in the registry, and no pack",
    async (by) => {
      while (homes.length < 2) begin(lastingStorage());
      const calls = await standsStillAt(Number.POSITIVE_INFINITY, by);
      expect(calls).toBeGreaterThan(60);
      for (const at of sampledCalls(1, calls)) await standsStillAt(at, by);
    },
  );
});
