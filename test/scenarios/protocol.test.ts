/** The protocols where they are put to the test: races, limits, recoveries and replays that ordinary runs seldom meet. */

import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { readPack } from "../../lib/control/files/packs.ts";
import { submit } from "../../lib/control/lifecycle/submit.ts";
import { ModelError, NotReady } from "../../lib/core/errors.ts";
import { EVALUATION_MS, INVOCATION_RESERVE_MS } from "../../lib/core/limits.ts";
import type { EvaluationRequest, Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import { notRun } from "../../lib/core/verdict/verdict.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { alwaysGreen, type aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines, opened } = openedMachines();

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

const complete: [string, object] = ["complete_instruction", { summary: "done" }];
const eventsOf = (machine: TestMachine, runId: string) => machine.registry.events(runId, { after: 0, limit: 10_000 });

/** An evaluator whose process dies at its n-th call. */
function dyingEvaluator(at: number): Evaluator {
  let calls = 0;
  return {
    async evaluate(request) {
      calls += 1;
      if (calls === at) throw new TypeError("the process is gone");
      return alwaysGreen.evaluate(request);
    },
  };
}

async function packOf(machine: TestMachine, runId: string): Promise<string[]> {
  const run = await machine.registry.run(runId);
  const pack = run && (await readPack(machine.files, runId, run.packed));
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
        : { calls: [write("a.txt"), complete] },
    );
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", turns: 4 });
    expect(await machine.registry.requirements(run.id)).toMatchObject([{ id: "R1", text: "short" }]);
  });
});

describe("a charge above its reservation", () => {
  const priced = { options: { reflect: 0, budget: { usd: 0.9 } }, profile: { price: { input: 2.5, output: 10 } } };
  /** A dollar. */
  const overcharged = (calls: Said["calls"] & object): Said => ({ calls, usage: { outputTokens: 100_000 } });

  it("stops the run also where the process dies before the answer has had its effects", async () => {
    const model = turnsOf([[overcharged([write("a.txt")])], []]);
    const machine = opened({ model, evaluator: dyingEvaluator(1) });
    const run = await compute(machine, await aSubmission(priced));
    expect(run).toMatchObject({ status: "partial", reason: "over_reservation", files: 1 });
    expect(model.requests).toHaveLength(2);
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });

  it("stops it also where the evaluator asks to wait right after it", async () => {
    let asked = 0;
    const evaluator: Evaluator = {
      evaluate: async () => {
        asked += 1;
        if (asked === 1) throw new NotReady("starting", 30_000);
        return aVerdict({});
      },
    };
    const model = turnsOf([[overcharged([write("a.txt"), ["run_checks", {}]])], []]);
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await aSubmission(priced));
    expect(run).toMatchObject({ status: "partial", reason: "over_reservation", files: 1 });
    expect(asked).toBeGreaterThan(1);
    expect(model.requests).toHaveLength(2);
  });

  it("leaves the pack of what it brought to acceptance", async () => {
    const model = turnsOf([[overcharged([write("a.txt"), complete])], []]);
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(priced));
    expect(run).toMatchObject({ status: "partial", reason: "over_reservation", pc: 2, packed: 1 });
    expect(await packOf(machine, run.id)).toEqual(["a.txt"]);
  });

  it("does not keep a run from completion that needs no call any more", async () => {
    const machine = opened({ model: turnsOf([[overcharged([write("a.txt"), complete])]]), evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission(priced));
    expect(run.status).toBe("completed");
    expect(run).not.toHaveProperty("reason");
  });
});

describe("the time of an invocation", () => {
  /** A run whose program is there, and handlers that know how much time is left. */
  async function planned(parts: Parameters<typeof aMachine>[0], remainingMs: () => number, options = {}) {
    const machine = opened(parts);
    const program = { instructions: programOf(1), requirements: [] };
    const asked = { options: { ...unreflected.options, ...options }, submission: { program } };
    const run = await machine.submit(await aSubmission(asked));
    const handlers = createHandlers(machine.world);
    const invocation = { remainingMs, signal: never };
    await handlers.plan({ runId: run.id, epoch: 1 }, invocation);
    return { machine, execute: () => handlers.execute({ runId: run.id, epoch: 1 }, invocation), runId: run.id };
  }

  it("that is left after a long answer is not spent on checks that it would cut short: the next one makes them", async () => {
    let remaining = 800_000;
    let evaluations = 0;
    const inner = turnsOf([[{ calls: [write("a.txt")] }]]);
    const model = {
      async ask(request: ModelRequest) {
        remaining = INVOCATION_RESERVE_MS + EVALUATION_MS - 1;
        return inner.ask(request);
      },
    };
    const evaluator: Evaluator = {
      async evaluate(request) {
        evaluations += 1;
        return alwaysGreen.evaluate(request);
      },
    };
    const { machine, execute, runId } = await planned({ model, evaluator }, () => remaining);
    expect(await execute()).toEqual({ next: "execute" });
    expect(evaluations).toBe(0);
    expect(await machine.registry.turns(runId, 1)).toMatchObject([{ state: "answered" }]);
    remaining = 800_000;
    expect(await execute()).toEqual({ next: "execute" });
    expect(await machine.registry.turns(runId, 1)).toMatchObject([{ state: "committed" }, { state: "answered" }]);
    expect(inner.requests).toHaveLength(2);
    // The turn that was answered was still to be done.
    const begun = (await machine.registry.events(runId, { after: 0, limit: 100 })).flatMap((event) =>
      event.type === "instruction_started" ? [event.resumedAtTurn] : [],
    );
    expect(begun).toEqual([0, 0]);
  });

  it("bounds each check by what the run says", async () => {
    const limits: number[] = [];
    const evaluator: Evaluator = {
      async evaluate({ timeoutMs }: EvaluationRequest) {
        limits.push(timeoutMs);
        return aVerdict({});
      },
    };
    const model = turnsOf([[{ calls: [write("a.js")] }]]);
    const { execute } = await planned({ model, evaluator }, () => 840_000, { checkMinutes: 10 });
    await execute();
    expect(new Set(limits)).toEqual(new Set([600_000]));
  });

  it("bounds each check, and a turn that asks for more of them than fit is answered so and commits", async () => {
    let remaining = 840_000;
    const limits: number[] = [];
    const evaluator: Evaluator = {
      async evaluate({ timeoutMs }: EvaluationRequest) {
        limits.push(timeoutMs);
        remaining -= timeoutMs;
        return aVerdict({ tests: { status: "timed_out", passed: 0 } });
      },
    };
    const checks = Array.from({ length: 8 }, (_, index): [string, object] => [
      "run_checks",
      { paths: [`${index}.js`] },
    ]);
    const written = write(...checks.map((_, index) => `${index}.js`));
    const model = turnsOf([[{ calls: [written] }, { calls: checks }]]);
    const { machine, execute, runId } = await planned({ model, evaluator }, () => remaining);
    while ((await machine.registry.run(runId))?.turns !== 2) {
      remaining = 840_000;
      await execute();
    }
    expect(remaining).toBeGreaterThan(0);
    expect(limits.every((limit) => limit <= EVALUATION_MS)).toBe(true);
    const asked = JSON.stringify(model.requests.at(-1)?.messages ?? []);
    remaining = 840_000;
    await execute();
    expect(JSON.stringify(model.requests.at(-1)?.messages) + asked).toContain("no time left");
  });
});

describe("a cancel", () => {
  it("that comes just as an execution hands over to the next ends the run all the same", async () => {
    const lasting = lastingStorage();
    let racing = false;
    let runId = "";
    const storage: Storage = {
      ...lasting,
      table: {
        ...lasting.table,
        async transact(writes) {
          const begins = writes.some((write) => "update" in write && write.set?.epoch === 2);
          if (begins && !racing) {
            racing = true;
            await machine.cancel(runId);
          }
          return lasting.table.transact(writes);
        },
      },
    };
    const machine = opened({ model: scriptedModel(writerOf(5, oneFile)), storage, loopLimit: 2 });
    ({ id: runId } = await machine.submit(await aSubmission(unreflected)));
    expect(await machine.compute(runId, never)).toMatchObject({ status: "cancelled" });
    expect(racing).toBe(true);
  });

  it("of a run whose process dies before it heard of it ends the run when the death is noted", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, oneFile)) });
    const run = await machine.submit(await aSubmission({}));
    const claimed = await machine.registry.claim(run.id, 1);
    await machine.registry.change(claimed, { cancelRequested: true });
    await machine.sweep();
    expect(await machine.registry.run(run.id)).toMatchObject({ status: "cancelled", reason: "cancelled" });
  });
});

describe("a submission with files", () => {
  it("stores those that are alike once, and each has its own place in the tree", async () => {
    const callsWith = async (many: number): Promise<number> => {
      const from = new Map(Array.from({ length: many }, (_, at) => [`${at}.txt`, new TextEncoder().encode("alike")]));
      const storage = mortalStorage(lastingStorage(), { call: 0, when: "before" });
      const machine = opened({ model: scriptedModel(writerOf(1, oneFile)), storage });
      const run = await machine.submit(await aSubmission({ options: { from: true }, submission: { from } }));
      await createHandlers(machine.world).plan(
        { runId: run.id, epoch: 1 },
        { remainingMs: () => 800_000, signal: never },
      );
      const calls = storage.calls();
      expect(await machine.registry.allFiles(run.id)).toHaveLength(many);
      return calls;
    };
    expect(await callsWith(60)).toBe(await callsWith(1));
  });
});

describe("a submission that dies half-way", () => {
  const from = new Map([
    ["a.txt", new TextEncoder().encode("a")],
    ["b.txt", new TextEncoder().encode("b")],
  ]);

  it("at any of its calls leaves no run, or one that goes on from the whole tree", async () => {
    let wentOn = 0;
    const submission = await aSubmission({ options: { reflect: 0, from: true }, submission: { from } });
    const whole = mortalStorage(lastingStorage(), { call: 0, when: "before" });
    await opened({ model: scriptedModel(writerOf(1, oneFile)), storage: whole }).submit(submission);
    for (const call of sampledCalls(1, whole.calls())) {
      for (const when of ["before", "after"] as const) {
        const lasting = lastingStorage();
        const dying = opened({ model: scriptedModel(() => ({})), storage: mortalStorage(lasting, { call, when }) });
        await expect(dying.submit(submission)).rejects.toThrow("killed");
        const machine = opened({ model: scriptedModel(writerOf(1, oneFile)), storage: lasting });
        await machine.sweep();
        const [left] = (await machine.registry.runs({ owner: "local", limit: 9 })).runs;
        if (!left) continue;
        expect(left).toMatchObject({ status: "waiting", reason: "interrupted", files: 2 });
        await machine.resume(left.id, {});
        expect(await machine.compute(left.id, never)).toMatchObject({ status: "completed", files: 3 });
        expect(await packOf(machine, left.id)).toEqual(["a.txt", "b.txt", "f1.txt"]);
        wentOn += 1;
      }
    }
    expect(wentOn).toBeGreaterThan(1);
  });

  it("at any of its calls loses no run that needs no files: what was created can go on", async () => {
    const submission = await aSubmission({ options: { reflect: 0 } });
    const whole = mortalStorage(lastingStorage(), { call: 0, when: "before" });
    await opened({ model: scriptedModel(writerOf(1, oneFile)), storage: whole }).submit(submission);
    let wentOn = 0;
    for (const call of sampledCalls(1, whole.calls())) {
      for (const when of ["before", "after"] as const) {
        const lasting = lastingStorage();
        const dying = opened({ model: scriptedModel(() => ({})), storage: mortalStorage(lasting, { call, when }) });
        await expect(dying.submit(submission)).rejects.toThrow("killed");
        const machine = opened({ model: scriptedModel(writerOf(1, oneFile)), storage: lasting });
        await machine.sweep();
        const [left] = (await machine.registry.runs({ owner: "local", limit: 9 })).runs;
        if (!left) continue;
        expect(left).toMatchObject({ status: "waiting", reason: "interrupted" });
        await machine.resume(left.id, {});
        expect(await machine.compute(left.id, never)).toMatchObject({ status: "completed", files: 1 });
        wentOn += 1;
      }
    }
    expect(wentOn).toBeGreaterThan(1);
  });

  it("is finished by the same submission, made again with its key", async () => {
    const lasting = lastingStorage();
    const submission = {
      ...(await aSubmission({ options: { reflect: 0, from: true }, submission: { from } })),
      owner: "local",
      idempotency: { caller: "me", key: "k", bodyHash: "h" },
    };
    // The run is created by the second call.
    const dying = opened({
      model: scriptedModel(() => ({})),
      storage: mortalStorage(lasting, { call: 2, when: "after" }),
    });
    await expect(submit(dying.world, submission)).rejects.toThrow("killed");
    const machine = opened({ model: scriptedModel(writerOf(1, oneFile)), storage: lasting });
    const again = await submit(machine.world, submission);
    const third = await submit(machine.world, submission);
    if ("conflict" in again || "conflict" in third) throw new Error("conflict");
    expect(third.run).toMatchObject({ id: again.run.id, epoch: 1 });
    expect(await machine.compute(again.run.id, never)).toMatchObject({ status: "completed", files: 3 });
  });
});

describe("the time under computation", () => {
  it("counts what was spent on a call that was interrupted", async () => {
    let later = 0;
    const stop = new AbortController();
    const model = {
      ask: (_request: ModelRequest, signal?: AbortSignal) => {
        later = 600_000;
        stop.abort(new Error("stopped"));
        return new Promise<never>((_resolve, reject) => reject(signal?.reason));
      },
    };
    const machine = opened({ model, clock: { ...hastyClock, now: () => hastyClock.now() + later } });
    const run = await machine.submit(await aSubmission({}));
    const stopped = await machine.compute(run.id, stop.signal);
    expect(stopped).toMatchObject({ status: "waiting", reason: "interrupted" });
    expect(stopped.activeMs).toBeGreaterThanOrEqual(600_000);
    later = 6_000_000;
    await machine.resume(run.id, {});
    expect((await machine.registry.claim(run.id, 3)).activeMs).toBe(stopped.activeMs);
  });
});

describe("a slow model", () => {
  it("is not asked where too little time is left for an answer of use, but in the next invocation", async () => {
    let remaining = 800_000;
    const script = turnsOf([[{ calls: [write("a.txt")] }, { calls: [write("b.txt")] }]]);
    const model = {
      async ask(request: ModelRequest) {
        const answer = await script.ask(request);
        remaining -= 200_000;
        // Five tokens per second.
        return { ...answer, usage: { ...answer.usage, outputTokens: 1_000 }, milliseconds: 200_000 };
      },
    };
    const machine = opened({ model, evaluator: alwaysGreen });
    const program = { instructions: programOf(1), requirements: [] };
    const run = await machine.submit(await aSubmission({ ...unreflected, submission: { program } }));
    const handlers = createHandlers(machine.world);
    const invocation = { remainingMs: () => remaining, signal: never };
    await handlers.plan({ runId: run.id, epoch: 1 }, invocation);
    expect(await handlers.execute({ runId: run.id, epoch: 1 }, invocation)).toEqual({ next: "execute" });
    expect(script.requests.length).toBe(2);
    expect(script.requests.at(-1)?.maxOutputTokens).toBeGreaterThan(2_000);
    remaining = 800_000;
    expect(await handlers.execute({ runId: run.id, epoch: 1 }, invocation)).toEqual({ next: "deliver" });
  });
});

describe("an answer of many calls", () => {
  it("has its results shown in the next request, also in a small window: none of them crowds out the others", async () => {
    const paths = Array.from({ length: 6 }, (_, index) => `f${index}.txt`);
    const files = paths.map((path) => ({ path, content: `${path} has this line.\n`.repeat(300) }));
    const reads = paths.map((path): [string, object] => ["read_files", { files: [path] }]);
    const model = turnsOf([
      [...files.map((file) => ({ calls: [["write_files", { files: [file] }]] }) as Said)],
      [{ calls: reads }],
    ]);
    const machine = opened({ model });
    const profile = { contextWindow: 12_000, maxOutputTokens: 4_096 };
    const submission = await aSubmission({ ...unreflected, profile });
    const run = await compute(machine, submission);
    expect(run.status).toBe("completed");
    const last = JSON.stringify(model.requests.at(-1)?.messages);
    for (const path of paths) expect(last).toContain(`${path} has this line.`);
  });
});

describe("what watchers see", () => {
  it("is the same where the turn was committed by an attempt that did not ask for it", async () => {
    const looping = Array<Said>(7).fill({ calls: [["list_files", {}]] });
    const model = turnsOf([[{ calls: [write("a.txt")] }, ...looping]]);
    const machine = opened({ model, evaluator: dyingEvaluator(1) });
    const run = await compute(machine, await aSubmission(unreflected));
    const events = await eventsOf(machine, run.id);
    const turns = events.filter((event) => event.type === "turn");
    expect(turns.every(({ contextTokens }) => contextTokens > 0)).toBe(true);
  });

  it("holds the measures that are taken against loops, and each new conversation with its reason", async () => {
    const model = scriptedModel((request) =>
      placeOf(request).planning
        ? { calls: [["write_program", { instructions: programOf(1) }]] }
        : { calls: [["list_files", {}]] },
    );
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    const events = await eventsOf(machine, run.id);
    expect(events.filter(({ type }) => type === "loop")).toMatchObject([
      { turn: 3, measure: "raise temperature" },
      { turn: 6, measure: "fresh conversation" },
      { turn: 9, measure: "stuck" },
    ]);
    expect(events.filter(({ type }) => type === "restarted")).toMatchObject([
      { turn: 7, why: "going in circles" },
      { turn: 10, why: "it is to be split" },
    ]);
  });

  it("holds a completion that is refused again and again for a loop, however it is worded", async () => {
    let report = 0;
    const model = scriptedModel((request) => {
      if (placeOf(request).planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      report += 1;
      return { calls: [["complete_instruction", { summary: `Done, the ${report}th time.` }]] };
    });
    const failing = aVerdict({ tests: { status: "failed", failed: 1 } });
    const machine = opened({ model, evaluator: { evaluate: async () => failing } });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "partial", reason: "trapped" });
    const loops = (await eventsOf(machine, run.id)).filter(({ type }) => type === "loop");
    expect(loops.map((event) => "turn" in event && event.turn)).toEqual([3, 6, 9]);
  });

  it("holds a new conversation also where its first turn was committed by another attempt", async () => {
    let fresh = false;
    let died = false;
    const model = scriptedModel((request) => {
      const { planning, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      fresh = request.messages.length === 2 && JSON.stringify(request.messages).includes("going in circles");
      if (fresh) return { calls: [write("a.txt")] };
      return answers > 6 || died ? { calls: [complete] } : { calls: [["list_files", {}]] };
    });
    const evaluator: Evaluator = {
      async evaluate(request) {
        if (fresh && !died) {
          died = true;
          throw new TypeError("the process is gone");
        }
        return alwaysGreen.evaluate(request);
      },
    };
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run.status).toBe("completed");
    const restarted = (await eventsOf(machine, run.id)).filter(({ type }) => type === "restarted");
    expect(restarted).toMatchObject([{ turn: 7, why: "going in circles" }]);
  });

  it("forgets how often the sweeper restarted it, once an answer came", async () => {
    const machine = opened({ model: turnsOf([[]]) });
    const run = await machine.submit(await aSubmission(unreflected));
    await machine.registry.change(run, { renewals: 2 });
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed", renewals: 0 });
  });

  it("holds what the gate decided: blocked, unchecked or accepted", async () => {
    const verdicts = [
      notRun("nothing_to_check"), // of the file that is written
      aVerdict({ tests: { status: "failed", failed: 1 } }),
      aVerdict({}),
      aVerdict({ tests: { status: "not_run", reason: "no_toolchain", passed: 0 } }),
    ];
    const evaluator: Evaluator = { evaluate: async () => verdicts.shift() ?? aVerdict({}) };
    const model = turnsOf([[{ calls: [write("a.txt"), complete] }, { calls: [["run_checks", {}], complete] }]]);
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", reason: "unchecked" });
    const shown = (await eventsOf(machine, run.id)).flatMap((event) => (event.type === "verdict" ? [event] : []));
    expect(shown.map(({ gate }) => gate)).toEqual(["blocked", "none", "unchecked"]);
    expect(shown.map(({ refusal }) => refusal)).toEqual([["tests: failed"], undefined, undefined]);
  });

  it("holds an acceptance of which nothing could be checked, and so does the next conversation", async () => {
    const nothing = { status: "not_run" as const, reason: "no_toolchain" };
    const evaluator: Evaluator = {
      evaluate: async () => aVerdict({ syntax: nothing, tests: { ...nothing, passed: 0 } }),
    };
    const model = turnsOf([[{ calls: [write("a.txt"), complete] }], [{ calls: [write("b.txt"), complete] }]]);
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await aSubmission(unreflected));
    const shown = (await eventsOf(machine, run.id)).flatMap((event) => (event.type === "verdict" ? [event.gate] : []));
    expect(shown).toEqual(["unchecked", "unchecked"]);
    expect(model.requests.at(-1)?.messages[1]?.content).toContain("unchecked: syntax: no_toolchain");
  });
});

describe("a wait for the model server", () => {
  it("is due some time after it is over, so that the run is not taken for dead at that very moment", async () => {
    const model = scriptedModel(() => {
      throw new ModelError("busy", { kind: "rate_limited", retryAfterMs: 600_000, perhapsPaid: false });
    });
    const machine = opened({ model });
    const run = await machine.submit(await aSubmission({}));
    const handlers = createHandlers(machine.world);
    const invocation = { remainingMs: () => 800_000, signal: never };
    expect(await handlers.plan({ runId: run.id, epoch: 1 }, invocation)).toMatchObject({ next: "wait" });
    const [waiting] = (await eventsOf(machine, run.id)).flatMap((event) => (event.type === "waiting" ? [event] : []));
    const { dueAt = "" } = (await machine.registry.run(run.id)) ?? {};
    expect(Date.parse(dueAt) - Date.parse(waiting?.until ?? "")).toBe(120_000);
  });
});

describe("a replay", () => {
  /** What a replay must answer for a run that went to its end, whatever happened on the way. */
  async function expectSameReplay(machine: TestMachine, runId: string): Promise<void> {
    const run = await machine.registry.run(runId);
    const { treeHash, expected, turns, difference } = await machine.replay(runId);
    expect(difference).toBeUndefined();
    expect(treeHash).toBe(expected);
    expect(turns).toBe(run?.turns);
  }
  const long = (path: string): [string, object] => [
    "write_files",
    { files: [{ path, content: `${path} `.repeat(400) }] },
  ];

  it("sends the same requests after calls that were lost, timed out, or refused as too long", async () => {
    const refusals = new Map<number, ModelError>([
      [3, new ModelError("late", { kind: "timed_out", perhapsPaid: true })],
      [5, new ModelError("closed", { kind: "broken_answer", perhapsPaid: true })],
      [7, new ModelError("too long", { kind: "context_exceeded", perhapsPaid: false })],
      [9, new ModelError("too long", { kind: "context_exceeded", perhapsPaid: false })],
    ]);
    const script = turnsOf([
      [{ calls: [long("a")] }, { calls: [long("b")] }, { calls: [long("c")] }, { calls: [long("d")] }],
      [{ calls: [long("e")] }],
    ]);
    let asked = 0;
    const model = {
      async ask(request: ModelRequest) {
        asked += 1;
        const refusal = refusals.get(asked);
        if (refusal) throw refusal;
        return script.ask(request);
      },
    };
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", files: 5 });
    await expectSameReplay(machine, run.id);
  });

  it("sends the same requests for a run that was stuck and resumed, and whose process died on the way", async () => {
    let stuck = true;
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      if (answers === 0) return { calls: [write(`f${instruction}.txt`)] };
      return instruction === 1 && stuck ? { calls: [["run_checks", {}]] } : { calls: [complete] };
    });
    const machine = opened({ model, evaluator: dyingEvaluator(5) });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "partial", reason: "trapped" });
    stuck = false;
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
    await expectSameReplay(machine, run.id);
  });

  it("ends as the run did that stopped in the middle of an instruction", async () => {
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      if (instruction === 2 && answers === 1) throw new ModelError("no", { kind: "credentials", perhapsPaid: false });
      return answers === 0 ? { calls: [write(`f${instruction}.txt`)] } : { calls: [complete] };
    });
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "failed", files: 2 });
    await expectSameReplay(machine, run.id);
  });
});
