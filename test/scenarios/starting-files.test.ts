/** A run that starts from files: submitted at once however many they are, loaded before anything is planned, crash or not. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { submit } from "../../lib/control/lifecycle/submit.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { lastText, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const works = writerOf(1, () => [{ path: "new.txt", content: "new\n" }]);
const never = new AbortController().signal;

const tree = (count: number): Map<string, Uint8Array> =>
  new Map(
    Array.from({ length: count }, (_, n) => [`d${n % 7}/f${n}.txt`, new TextEncoder().encode(`file ${n}\n`)] as const),
  );
const starting = (count: number) =>
  aSubmission({ options: { reflect: 0, from: true }, submission: { from: tree(count) } });

/** Every call of a port. */
function counted(storage: Storage): { storage: Storage; calls: () => number } {
  const mortal = mortalStorage(storage, { call: 0, when: "before" });
  return { storage: mortal, calls: mortal.calls };
}

describe("a submission with files", () => {
  it("takes as many calls of the storage for 5,000 different ones as for one", async () => {
    const callsFor = async (count: number): Promise<number> => {
      const { storage, calls } = counted(lastingStorage());
      const machine = opened({ model: scriptedModel(works), storage });
      const run = await machine.submit(await starting(count));
      expect(run).toMatchObject({ files: count, toLoad: count, packed: 0 });
      return calls();
    };
    expect(await callsFor(5_000)).toBe(await callsFor(1));
  });

  it("is computed from all of them, whole from the first turn of planning on", async () => {
    const model = scriptedModel(works);
    const machine = opened({ model, storage: lastingStorage() });
    const run = await compute(machine, await starting(2_000));
    expect(run).toMatchObject({ status: "completed", files: 2_001 });
    expect(run).not.toHaveProperty("toLoad");
    expect(await machine.registry.allFiles(run.id)).toHaveLength(2_001);
    expect(model.requests.length).toBe(3);
    expect(lastText(model.requests[1] ?? { messages: [], tools: [], maxOutputTokens: 0, timeoutMs: 0 })).toContain(
      "d0",
    );
  });

  it("lets the planner see the repository, and read in it before it writes the program", async () => {
    const model = scriptedModel((request, call) =>
      call === 1
        ? {
            calls: [
              ["read_files", { files: [{ path: "src/store.ts" }] }],
              ["search_files", { text: "open" }],
            ],
          }
        : works(request),
    );
    const machine = opened({ model, storage: lastingStorage() });
    const files: Record<string, string> = {
      "README.md": "# Store\n",
      "src/store.ts": "export const open = () => 1;\n",
      "src/main.ts": 'import { open } from "./store.ts";\n',
    };
    const from = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
    const submission = await aSubmission({ options: { reflect: 0, from: true }, submission: { from } });
    expect(await compute(machine, submission)).toMatchObject({ status: "completed", files: 4 });
    const [first, second] = model.requests;
    expect(first?.tools.map(({ name }) => name)).toEqual(["write_program", "list_files", "read_files", "search_files"]);
    expect(first?.messages[1]?.content).toContain("src/store.ts (imported by 1): open");
    expect(first?.messages[1]?.content).toContain("Before you write the program, read what it builds on");
    expect(JSON.stringify(second?.messages)).toContain("export const open = () => 1;");
  });

  it("that comes again with its key while the first is being loaded is the same run", async () => {
    const machine = opened({ model: scriptedModel(works), storage: lastingStorage() });
    const submission = {
      ...(await starting(10)),
      owner: "local",
      idempotency: { caller: "a", key: "k", bodyHash: "h" },
    };
    const first = await submit(machine.world, submission);
    const again = await submit(machine.world, submission);
    if ("conflict" in first || "conflict" in again) throw new Error("conflict");
    expect(again).toMatchObject({ isNew: false, run: { id: first.run.id, epoch: 1, toLoad: 10 } });
    expect(await machine.compute(first.run.id, never)).toMatchObject({ status: "completed", files: 11 });
  });
});

describe("loading", () => {
  it("that is killed, at any of its calls, goes on where it was: nothing is planned from half a tree", async () => {
    const count = 1_900;
    const submission = await starting(count);
    const undisturbed = counted(lastingStorage());
    const machine = opened({ model: scriptedModel(works), storage: undisturbed.storage });
    const before = await machine.submit(submission).then(({ id }) => ({ id, calls: undisturbed.calls() }));
    await createHandlers(machine.world).plan(
      { runId: before.id, epoch: 1 },
      { remainingMs: () => 800_000, signal: never },
    );
    const [first, last] = [before.calls + 1, undisturbed.calls()];
    expect(last - first).toBeGreaterThan(1_900);
    // Around each of the three commits, and now and then among the blobs between them.
    for (let call = first; call <= last; call += call < first + 3 || call > last - 12 ? 1 : 271) {
      const lasting = lastingStorage();
      const { id } = await opened({ model: scriptedModel(works), storage: lasting }).submit(submission);
      const dying = opened({
        model: scriptedModel(works),
        storage: mortalStorage(lasting, { call: call - before.calls, when: call % 2 ? "before" : "after" }),
      });
      const invocation = { remainingMs: () => 800_000, signal: never };
      await createHandlers(dying.world)
        .plan({ runId: id, epoch: 1 }, invocation)
        .catch(() => {});
      const next = opened({ model: scriptedModel(works), storage: lasting });
      const left = await next.registry.run(id);
      if (left?.toLoad !== undefined) expect(left).toMatchObject({ instructions: 0, turns: 0 });
      else expect(await next.registry.allFiles(id)).toHaveLength(count);
      expect(await next.compute(id, never)).toMatchObject({ status: "completed", files: count + 1 });
      expect(await next.registry.allFiles(id)).toHaveLength(count + 1);
    }
  });

  it("goes on in the next invocation where the time of one is not enough, after what is loaded", async () => {
    const machine = opened({ model: scriptedModel(works), storage: lastingStorage() });
    const { id } = await machine.submit(await starting(2_000));
    const { plan } = createHandlers(machine.world);
    let looked = 0;
    const short = { signal: never, remainingMs: () => (looked++ === 0 ? 200_000 : 60_000) };
    expect(await plan({ runId: id, epoch: 1 }, short)).toEqual({ next: "wait", waitSeconds: 1 });
    expect(await machine.registry.run(id)).toMatchObject({ toLoad: 1_100, instructions: 0 });
    expect(await machine.registry.allFiles(id)).toHaveLength(900);
    expect(await machine.compute(id, never)).toMatchObject({ status: "completed", files: 2_001 });
  });

  it("by a zombie changes nothing", async () => {
    const machine = opened({ model: scriptedModel(works), storage: lastingStorage() });
    const { id } = await machine.submit(await starting(10));
    const zombie = await machine.registry.claim(id, 1);
    await machine.registry.claim(id, 1);
    const entry = { path: "d", sha256: "s", bytes: 1, lines: 1, instruction: 0, turn: 0 };
    await expect(machine.registry.loadEntries(zombie, [{ folded: "d", entry }])).rejects.toThrow("attempt 2");
    expect(await machine.registry.allFiles(id)).toEqual([]);
  });

  it("from a pack that is damaged ends the run, named", async () => {
    const machine = opened({ model: scriptedModel(works), storage: lastingStorage() });
    const { id } = await machine.submit(await starting(10));
    await machine.files.put(fileStoreKeys(id).pack(0), new TextEncoder().encode("no zip"));
    const run = await machine.compute(id, never);
    expect(run).toMatchObject({ status: "failed", reason: "damaged" });
    expect(run.detail).toContain("The pack of instruction 0");
  });
});
