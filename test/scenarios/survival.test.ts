/** What survives: processes that die, zombies that come back, people who interrupt and cancel, and the journal. */
import { describe, expect, it } from "vitest";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { NotReady } from "../../lib/core/errors.ts";
import type { Clock, Evaluator, FileStore } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { aSubmission, aVerdict, compute, nothingToCheck, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import {
  placeOf,
  programOf,
  type Said,
  type ScriptedModel,
  scriptedModel,
  writerOf,
} from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const files = (instruction: number) => [
  { path: `a/f${instruction}.txt`, content: `one ${instruction}\n` },
  { path: "shared.txt", content: `last ${instruction}\n` },
];
const hashOf = async (machine: TestMachine, runId: string) => treeHash(await machine.registry.allFiles(runId));
const never = new AbortController().signal;

async function undisturbed(submission?: Awaited<ReturnType<typeof aSubmission>>) {
  const model = scriptedModel(writerOf(4, files));
  const machine = opened({ model });
  const { id, microUsd, inputTokens } = await compute(machine, submission ?? (await aSubmission({})));
  return { hash: await hashOf(machine, id), calls: model.requests.length, microUsd, inputTokens };
}

/** Each answer is stored, and the first attempt to store one dies before the registry knows of it. */
function dyingAfterAnswers(): Storage {
  const lasting = lastingStorage();
  const known = new Set<string>();
  const put: FileStore["put"] = async (key, bytes) => {
    await lasting.files.put(key, bytes);
    const turn = /^.*(?=-\d+\.answer\.json$)/.exec(key)?.[0];
    if (turn === undefined || known.has(turn)) return;
    known.add(turn);
    throw new TypeError("the process is gone");
  };
  return { ...lasting, files: { ...lasting.files, put } };
}

describe("a handler that dies", () => {
  it.each([1, 2])(
    "between storing an answer and entering it takes that answer, and pays it once, with %i lanes",
    async (parallel) => {
      const submission = await aSubmission({ options: { parallel, reflect: 0 } });
      const expected = await undisturbed(submission);
      const model = scriptedModel(writerOf(4, files));
      const machine = opened({ model, storage: dyingAfterAnswers() });
      const run = await compute(machine, submission);
      expect(run.status).toBe("completed");
      expect(await hashOf(machine, run.id)).toBe(expected.hash);
      expect(model.requests).toHaveLength(expected.calls);
      expect(run).toMatchObject({ microUsd: expected.microUsd, calls: expected.calls });
      expect(run.inputTokens).toBe(expected.inputTokens);
      expect(await machine.replay(run.id)).toMatchObject({ treeHash: expected.hash, turns: expected.calls });
    },
  );

  it("between an answer and its effects is invoked again, and the answer is not paid twice", async () => {
    const expected = await undisturbed();
    const model = scriptedModel(writerOf(4, files));
    let evaluations = 0;
    const evaluator: Evaluator = {
      async evaluate(request) {
        evaluations += 1;
        if (evaluations % 3 === 2) throw new TypeError("the process is gone");
        return nothingToCheck.evaluate(request);
      },
    };
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await aSubmission({}));
    expect(run.status).toBe("completed");
    expect(await hashOf(machine, run.id)).toBe(expected.hash);
    expect(model.requests).toHaveLength(expected.calls);
    expect(run.attempt).toBeGreaterThan(6);
  });

  it("because of our own fault ends the run as failed, with what is kept, and never leaves it running", async () => {
    const model = scriptedModel((request) => {
      if (placeOf(request).instruction === 2) throw new TypeError("a bug");
      return writerOf(3, files)(request);
    });
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission({}));
    expect(run).toMatchObject({ status: "failed", reason: "internal", packed: 1 });
    expect(run.detail).toContain("a bug");
  });
});

describe("an interrupted run", () => {
  /** Stops the machine at the model's n-th call, as Ctrl-C does, then goes on in a new machine. */
  async function interruptedAt(call: number): Promise<{ hash: string; calls: number }> {
    const stop = new AbortController();
    const script = writerOf(4, files);
    const hanging: ScriptedModel = {
      requests: [],
      ask: (request, signal) => {
        hanging.requests.push(request);
        if (hanging.requests.length < call) return scriptedModel(script).ask(request);
        stop.abort(new Error("stopped"));
        return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const machine = opened({ model: hanging });
    const run = await machine.submit(await aSubmission({}));
    const stopped = await machine.compute(run.id, stop.signal);
    expect(stopped).toMatchObject({ status: "waiting", reason: "interrupted" });
    const model = scriptedModel(script);
    const next = opened({ model, home: machine.home });
    await next.resume(run.id, {});
    expect(await next.compute(run.id, never)).toMatchObject({ status: "completed" });
    return { hash: await hashOf(next, run.id), calls: hanging.requests.length + model.requests.length };
  }

  it("resumes in another process, at every point, with the same files and at most one more call", async () => {
    const expected = await undisturbed();
    for (let call = 1; call <= expected.calls; call += 1) {
      const resumed = await interruptedAt(call);
      expect(resumed.hash).toBe(expected.hash);
      expect(resumed.calls).toBe(expected.calls + 1);
    }
  });

  it("whose process was killed is found by the next command and waits to be resumed", async () => {
    const model = scriptedModel(writerOf(2, files));
    const machine = opened({ model });
    const run = await machine.submit(await aSubmission({}));
    await machine.registry.claim(run.id, 1);
    await machine.sweep();
    expect(await machine.registry.run(run.id)).toMatchObject({ status: "waiting", reason: "interrupted" });
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });
});

describe("a zombie", () => {
  it("that answers after its run was resumed by another writes nothing", async () => {
    let release: (said: Said) => void = () => {};
    const late = new Promise<Said>((resolve) => {
      release = resolve;
    });
    const script = writerOf(2, files);
    const slow: ScriptedModel = {
      requests: [],
      async ask(request) {
        slow.requests.push(request);
        const said = slow.requests.length === 3 ? await late : script(request);
        return scriptedModel(() => said).ask(request);
      },
    };
    const machine = opened({ model: slow });
    const run = await machine.submit(await aSubmission({ options: { reflect: 0 } }));
    const zombie = machine.world;
    const { createHandlers } = await import("../../lambdas/handlers.ts");
    const handlers = createHandlers(zombie);
    const invocation = { remainingMs: () => 800_000, signal: never };
    await handlers.plan({ runId: run.id, epoch: 1 }, invocation);
    const hanging = handlers.execute({ runId: run.id, epoch: 1 }, invocation);
    while (slow.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    // The state timed out; the machine invokes again while the first invocation lives on.
    const second = createHandlers({ ...zombie, model: async () => scriptedModel(script) });
    expect(await second.execute({ runId: run.id, epoch: 1 }, invocation)).toEqual({ next: "execute" });
    const before = await machine.registry.run(run.id);
    release({ calls: [["write_files", { files: [{ path: "zombie.txt", content: "boo" }] }]] });
    expect(await hanging).toEqual({ next: "stop" });
    expect(await machine.registry.run(run.id)).toEqual(before);
    expect((await machine.registry.allFiles(run.id)).map((file) => file.path)).not.toContain("zombie.txt");
  });
});

describe("cancelling", () => {
  it("stops a computed run within its turn, writes nothing after it and keeps the last pack", async () => {
    const model = scriptedModel((request) => {
      if (placeOf(request).instruction === 2) void machine.cancel(runId);
      return writerOf(4, files)(request);
    });
    const machine = opened({
      model: {
        ask: async (request) => {
          if (placeOf(request).instruction === 2 && placeOf(request).answers === 0) await machine.cancel(runId);
          return model.ask(request);
        },
      },
    });
    let runId = "";
    const run = await machine.submit(await aSubmission({}));
    runId = run.id;
    const ended = await machine.compute(run.id, never);
    expect(ended).toMatchObject({ status: "cancelled", packed: 1 });
    expect((await machine.registry.allFiles(run.id)).map((file) => file.path)).toEqual(["a/f1.txt", "shared.txt"]);
    expect(await machine.files.get(`runs/${run.id}/packs/000001.changes.zip`)).toBeDefined();
  });

  it("ends a run at once that is not being computed", async () => {
    const machine = opened({ model: scriptedModel(writerOf(1, files)) });
    const run = await machine.submit(await aSubmission({}));
    expect(await machine.cancel(run.id)).toMatchObject({ status: "cancelled" });
    await expect(machine.cancel(run.id)).rejects.toThrow(/ended already/);
  });
});

describe("an evaluator that is not ready", () => {
  it("means a wait, never a verdict, and nothing is paid twice for it", async () => {
    let asked = 0;
    const evaluator: Evaluator = {
      async evaluate() {
        asked += 1;
        if (asked === 2) throw new NotReady("starting", 2_000);
        return aVerdict({});
      },
    };
    const model = scriptedModel(writerOf(2, files));
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run.status).toBe("completed");
    expect(model.requests).toHaveLength(5);
  });

  it("is reported as what it is while the run waits, and not as a rate limit", async () => {
    const standings: (Run | undefined)[] = [];
    let runId = "";
    let asked = 0;
    const evaluator: Evaluator = {
      async evaluate() {
        asked += 1;
        if (asked === 2) throw new NotReady("starting", 20_000);
        return aVerdict({});
      },
    };
    const clock: Clock = {
      ...hastyClock,
      async sleep(milliseconds, signal) {
        if (runId) standings.push(await machine.registry.run(runId));
        return hastyClock.sleep(milliseconds, signal);
      },
    };
    const machine = opened({ model: scriptedModel(writerOf(2, files)), evaluator, clock });
    runId = (await machine.submit(await aSubmission({ options: { reflect: 0 } }))).id;
    const run = await machine.compute(runId, never);
    const waiting = { status: "waiting", reason: "evaluator_not_ready", detail: "starting" };
    expect(standings).toContainEqual(expect.objectContaining(waiting));
    const events = await machine.registry.events(runId, { after: 0, limit: 1_000 });
    expect(events).toContainEqual(expect.objectContaining({ type: "waiting", why: "starting" }));
    expect(run.status).toBe("completed");
    expect(run.reason).not.toBe("evaluator_not_ready");
  });

  it("ends a run at its minutes at once, where the wait would outlast them", async () => {
    const evaluator: Evaluator = {
      async evaluate() {
        throw new NotReady("starting", 3_600_000);
      },
    };
    const machine = opened({ model: scriptedModel(writerOf(2, files)), evaluator });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0, budget: { minutes: 5 } } }));
    expect(run).toMatchObject({ status: "partial", reason: "minutes" });
    expect(run.activeMs).toBeLessThan(300_000);
  });
});

describe("a replay", () => {
  it("ends in the same tree without a model call, also for a run that failed, restarted and deleted on its way", async () => {
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
      if (answers === 0) return { calls: [["write_files", { files: files(instruction) }]] };
      if (answers === 1) return { text: "thinking" };
      if (answers === 2)
        return { calls: [["edit_file", { path: "shared.txt", edits: [{ find: "last", replace: "$& edited" }] }]] };
      if (answers === 3 && instruction === 2) return { calls: [["delete_files", { paths: ["a/f1.txt"] }]] };
      return { calls: [["complete_instruction", { summary: "done" }]] };
    });
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission({}));
    expect(run.status).toBe("completed");
    const calls = model.requests.length;
    const replayed = await machine.replay(run.id);
    expect(replayed).toEqual({
      treeHash: await hashOf(machine, run.id),
      expected: await hashOf(machine, run.id),
      turns: run.turns,
    });
    expect(model.requests).toHaveLength(calls);
  });

  it("shows the first turn at which other prompts make a difference", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, files)) });
    const submission = await aSubmission({});
    const run = await compute(machine, submission);
    const pack = { ...submission.pack, texts: { ...submission.pack.texts, system: "Other words." } };
    expect((await machine.replay(run.id, pack)).difference).toMatchObject({ instruction: 1, turn: 1 });
  });
});

describe("an execution at its last loop", () => {
  it("hands over to the next epoch, whose first state goes on where the last one stopped", async () => {
    const machine = opened({ model: scriptedModel(writerOf(5, files)), loopLimit: 2 });
    const run = await compute(machine, await aSubmission({}));
    expect(run).toMatchObject({ status: "completed", files: 6 });
    expect(run.epoch).toBeGreaterThan(2);
  });
});
