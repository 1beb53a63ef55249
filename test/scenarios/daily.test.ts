/** The daily ceiling of all runs of a home: kept, reported, waited for, and gone the next day. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ModelError, UserError } from "../../lib/core/errors.ts";
import type { Clock, Model, Table } from "../../lib/core/ports.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { keyOf } from "../../lib/core/store/conditions.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { createRegistry } from "../../lib/registry/registry.ts";
import { fakeClock } from "../doubles/fake-clock.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { aRun } from "../doubles/runs.ts";
import { lastText, placeOf, scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { createVirtualClock } from "../virtual-clock.ts";

const { machines } = openedMachines();

const NOON = Date.parse("2026-03-01T12:00:00Z");
const HOUR_MS = 3_600_000;
const oneFile = (instruction: number) => [{ path: `f${instruction}.txt`, content: `${instruction}` }];
/** A call costs 1,000 × $1 + 100 × $10 per million: $0.002; its worst case takes more. */
const priced = { profile: { price: { input: 1, output: 10 } } };
const CALL = 2_000;
const never = new AbortController().signal;

interface Home {
  clock: Clock;
  dailyUsd?: number;
  model?: Model;
  storage?: Storage;
}

/** In memory, so that time passes only where nothing is left to do. */
function aHome({
  model = scriptedModel(writerOf(20, oneFile)),
  storage = lastingStorage(),
  ...parts
}: Home): TestMachine {
  const machine = aMachine({ ...parts, model, storage });
  machines.push(machine);
  return machine;
}

describe("the daily ceiling", () => {
  it("ends a run that reaches it as partial with exit code 7, keeps what is done, and is never passed", async () => {
    const machine = aHome({ clock: createVirtualClock(NOON), dailyUsd: 0.05 });
    const run = await compute(machine, await aSubmission(priced));
    expect(run).toMatchObject({ status: "partial", reason: "daily", reservedMicroUsd: 0 });
    expect(run.detail).toMatch(/daily ceiling of all runs together is reached: \$0\.\d+ of \$0\.05 .* 00:00 UTC/);
    expect(exitCodeOf(run)).toBe(7);
    expect(run.packed).toBeGreaterThan(1);
    const { microUsd } = await machine.registry.today();
    expect(microUsd).toBe(run.microUsd);
    expect(microUsd).toBeLessThanOrEqual(50_000);
    // What is left does not pay for the smallest useful answer.
    expect(microUsd).toBeGreaterThan(50_000 - 20_000);
  });

  it("refuses to approve what it would hold up, or could not be kept for: nothing is begun", async () => {
    const clock = createVirtualClock(NOON);
    const storage = lastingStorage();
    const first = aHome({ clock, dailyUsd: 0.05, storage });
    const waiting = await compute(first, await aSubmission({ ...priced, options: { approve: "plan" } }));
    await compute(first, await aSubmission(priced));
    const { microUsd } = await first.registry.today();
    // Less than the smallest useful answer costs.
    const machine = aHome({ clock, dailyUsd: (microUsd + 10_000) / 1e6, storage });
    await expect(machine.approve(waiting.id)).rejects.toMatchObject({
      exitCode: 7,
      remedy: { command: "approve", args: [waiting.id] },
    });
    const unlimited = aHome({ clock, storage });
    const { price: _, ...unknown } = waiting.profile;
    const unpriced = await compute(unlimited, await aSubmission({ options: { approve: "plan" } }));
    await unlimited.registry.change(unpriced, { profile: unknown });
    await expect(machine.approve(unpriced.id)).rejects.toThrow(/daily ceiling .* could not be kept/);
    expect(await machine.registry.run(unpriced.id)).toMatchObject({ status: "waiting", reason: "approval" });
    await clock.sleep(13 * HOUR_MS);
    expect(await machine.approve(waiting.id)).toMatchObject({ status: "running" });
  });

  it("refuses to go on with it on the same day, and begins no epoch; on the next it goes on, with no higher ceiling", async () => {
    const clock = createVirtualClock(NOON);
    const machine = aHome({ clock, dailyUsd: 0.05 });
    const run = await compute(machine, await aSubmission(priced));
    await clock.sleep(11 * HOUR_MS);
    const refusal = await machine.resume(run.id, {}).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UserError);
    expect(refusal).toMatchObject({ message: run.detail, exitCode: 7 });
    expect(await machine.registry.run(run.id)).toMatchObject({ status: "partial", epoch: run.epoch });
    await clock.sleep(2 * HOUR_MS);
    let now = run;
    for (let day = 0; day < 10 && now.status !== "completed"; day += 1) {
      await machine.resume(run.id, {});
      now = await machine.compute(run.id, never);
      await clock.sleep(24 * HOUR_MS);
    }
    expect(now).toMatchObject({ status: "completed", files: 20 });
    expect(now.neededMicroUsd).toBeUndefined();
  });

  it("may be raised: then the run goes on at once", async () => {
    const clock = createVirtualClock(NOON);
    const storage = lastingStorage();
    const run = await compute(aHome({ clock, storage, dailyUsd: 0.05 }), await aSubmission(priced));
    expect(run.reason).toBe("daily");
    const machine = aHome({ clock, storage, dailyUsd: 5 });
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });

  it("is one for all runs: what one has spent the next one cannot", async () => {
    const machine = aHome({ clock: createVirtualClock(NOON), dailyUsd: 0.05 });
    await compute(machine, await aSubmission(priced));
    const next = await compute(machine, await aSubmission({ ...priced, task: "A long task. ".repeat(1_000) }));
    expect(next).toMatchObject({ status: "partial", reason: "daily", calls: 0, microUsd: 0 });
  });

  it("refuses to go on with a run whose cost is unknown, which it could not hold", async () => {
    const clock = createVirtualClock(NOON);
    const storage = lastingStorage();
    const { price: _, ...profile } = aRun().profile;
    const unpriced = await aSubmission({ options: { budget: { turns: 3 } }, submission: { profile } });
    const run = await compute(aHome({ clock, storage }), unpriced);
    expect(run).toMatchObject({ reason: "turns", microUsd: 0 });
    const again = aHome({ clock, storage, dailyUsd: 5 }).resume(run.id, { budget: { turns: 100 } });
    await expect(again).rejects.toThrow(/unknown \(--unpriced\), so that the daily ceiling/);
  });

  it("does not stop what costs nothing", async () => {
    const machine = aHome({ clock: createVirtualClock(NOON), dailyUsd: 0.05 });
    await compute(machine, await aSubmission(priced));
    expect(await compute(machine, await aSubmission({}))).toMatchObject({ status: "completed" });
  });

  it("makes runs share items only where one is set: without one, each writes its own alone", async () => {
    for (const dailyUsd of [undefined, 5]) {
      const storage = lastingStorage();
      const written: string[] = [];
      const transact: Table["transact"] = (writes) => {
        written.push(...writes.map((write) => keyOf(write).pk));
        return storage.table.transact(writes);
      };
      const machine = aHome({
        clock: createVirtualClock(NOON),
        model: scriptedModel(writerOf(2, oneFile)),
        storage: { ...storage, table: { ...storage.table, transact } },
        ...(dailyUsd === undefined ? {} : { dailyUsd }),
      });
      const run = await compute(machine, await aSubmission(priced));
      expect(run).toMatchObject({ status: "completed", microUsd: 5 * CALL + CALL });
      const shared = written.filter((pk) => pk !== `RUN#${run.id}`);
      if (dailyUsd === undefined) expect(shared).toEqual([]);
      else expect(new Set(shared.map((pk) => pk.split("#", 2).join("#")))).toEqual(new Set(["DAY#2026-03-01"]));
      const microUsd = dailyUsd === undefined ? 0 : run.microUsd;
      expect(await machine.registry.today()).toEqual({ microUsd, reservedMicroUsd: 0 });
    }
  });

  it("gives back what a call surely did not cost, and keeps what it may have cost", async () => {
    const failing = (perhapsPaid: boolean) =>
      scriptedModel((request, call) => {
        if (call > 1) return writerOf(1, oneFile)(request);
        const kind = perhapsPaid ? "broken_answer" : "rate_limited";
        throw new ModelError("away", { kind, retryAfterMs: 1, perhapsPaid });
      });
    for (const perhapsPaid of [true, false]) {
      const machine = aHome({ clock: createVirtualClock(NOON), dailyUsd: 5, model: failing(perhapsPaid) });
      const run = await compute(machine, await aSubmission(priced));
      expect(run.status).toBe("completed");
      expect(run.microUsd > 4 * CALL).toBe(perhapsPaid);
      expect(await machine.registry.today()).toEqual({ microUsd: run.microUsd, reservedMicroUsd: 0 });
    }
  });

  it("is shown to the model where it is tighter than the run's own, and a replay asks exactly the same", async () => {
    const model = scriptedModel(writerOf(2, oneFile));
    const machine = aHome({ clock: createVirtualClock(NOON), dailyUsd: 1, model });
    const run = await compute(machine, await aSubmission({ ...priced, options: { budget: { usd: 5 } } }));
    expect(run.status).toBe("completed");
    const shown = model.requests.map((request) => /\$\S+ left( today)?/.exec(lastText(request))?.[0]);
    expect(shown).toEqual(shown.map(() => expect.stringMatching(/^\$(1\.00|0\.99) left today$/)));
    const replayed = await machine.replay(run.id);
    expect(replayed).toMatchObject({ treeHash: replayed.expected, turns: run.turns });
    expect(replayed.difference).toBeUndefined();
  });

  it("of a run that took two days is replayed whole, whatever the ceiling is", async () => {
    const clock = createVirtualClock(NOON);
    const machine = aHome({ clock, dailyUsd: 0.05, model: scriptedModel(writerOf(12, oneFile)) });
    const run = await compute(machine, await aSubmission(priced));
    expect(run.reason).toBe("daily");
    await clock.sleep(24 * HOUR_MS);
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed.treeHash).toBe(replayed.expected);
  });

  it("is a new one at midnight, in the middle of a run", async () => {
    const clock = createVirtualClock(Date.parse("2026-03-01T23:59:00Z"));
    const storage = lastingStorage();
    const written = scriptedModel(writerOf(20, oneFile));
    const model: Model = {
      async ask(request) {
        if (placeOf(request).instruction === 6) await clock.sleep(40_000);
        return written.ask(request);
      },
    };
    const machine = aHome({ clock, storage, dailyUsd: 0.05, model });
    const run = await compute(machine, await aSubmission(priced));
    expect(run.reason).toBe("daily");
    const books = await Promise.all(["2026-03-01", "2026-03-02"].map((date) => bookOf(storage, date)));
    expect(books.reduce((sum, { microUsd }) => sum + microUsd, 0)).toBe(run.microUsd);
    for (const { microUsd, reservedMicroUsd } of books) {
      expect(microUsd).toBeGreaterThan(25_000);
      expect(microUsd).toBeLessThanOrEqual(50_000);
      expect(reservedMicroUsd).toBe(0);
    }
  });
});

const bookOf = ({ table }: Storage, date: string) =>
  createRegistry({ table, clock: fakeClock(Date.parse(`${date}T00:00:00Z`)) }).today();

/** Virtual time may pass meanwhile, but a run that waits stays waiting for twenty minutes of it. */
async function waiting({ registry }: TestMachine, id: string): Promise<Run> {
  for (;;) {
    const run = await registry.run(id);
    if (run?.status === "waiting") return run;
    await setImmediate();
  }
}

describe("what others have in flight", () => {
  it("is waited for, and the run goes on when it comes back", async () => {
    const clock = createVirtualClock(NOON);
    const written = scriptedModel(writerOf(1, oneFile));
    const heldAtCalls: unknown[] = [];
    const model: Model = {
      async ask(request) {
        const { runs } = await machine.registry.runs({ owner: "local", limit: 10 });
        heldAtCalls.push(runs.find(({ id }) => id === run.id)?.heldSince);
        return written.ask(request);
      },
    };
    const machine = aHome({ clock, dailyUsd: 0.05, model });
    const other = await reserving(machine, 45_000);
    const run = await machine.submit(await aSubmission(priced));
    const computing = machine.compute(run.id, never);
    const held = await waiting(machine, run.id);
    expect(held).toMatchObject({ reason: "daily", calls: 0 });
    const waitMs = Date.parse(held.waitUntil ?? "") - (held.heldSince ?? 0);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(90_000);
    await machine.registry.commit(other, { run: { reservedMicroUsd: 0, reservedTokens: 0, microUsd: 100 } });
    const done = await computing;
    expect(done).toMatchObject({ status: "completed" });
    // The next time that it is held up is reckoned from then on.
    expect(heldAtCalls).toEqual(heldAtCalls.map(() => undefined));
    expect(clock.now() - NOON).toBeLessThan(120_000);
    expect(await machine.registry.today()).toEqual({ microUsd: done.microUsd + 100, reservedMicroUsd: 0 });
  });

  it("is not waited for longer than a reservation can live: then the run ends for today", async () => {
    const clock = createVirtualClock(NOON);
    const machine = aHome({ clock, dailyUsd: 0.05 });
    await reserving(machine, 45_000);
    const began = clock.now();
    const run = await compute(machine, await aSubmission(priced));
    expect(run).toMatchObject({ status: "partial", reason: "daily", calls: 0 });
    expect(run.detail).toContain("for calls in flight");
    const minutes = (clock.now() - began) / 60_000;
    expect(minutes).toBeGreaterThan(20);
    expect(minutes).toBeLessThan(25);
  });

  it("of a process that died is written off when its run is noted as interrupted, so that no run waits for it", async () => {
    const machine = aHome({ clock: createVirtualClock(NOON), dailyUsd: 0.05 });
    const hog = await reserving(machine, 45_000);
    await machine.sweep();
    expect(await machine.registry.run(hog.id)).toMatchObject({
      status: "waiting",
      reason: "interrupted",
      microUsd: 45_000,
      reservedMicroUsd: 0,
    });
    expect(await machine.registry.today()).toEqual({ microUsd: 45_000, reservedMicroUsd: 0 });
    const run = await compute(machine, await aSubmission(priced));
    expect(run).toMatchObject({ status: "partial", reason: "daily", calls: 0 });
    await expect(machine.resume(hog.id, {})).rejects.toThrow(/daily ceiling/);
  });
});

/** A run of another process, with a call in flight. */
async function reserving({ registry }: TestMachine, microUsd: number) {
  const { profile } = aRun();
  const run = aRun({ id: "01JQ00000000000000000000AA", profile: { ...profile, price: priced.profile.price } });
  const created = await registry.create(run);
  if ("conflict" in created) throw new Error("conflict");
  await registry.beginEpoch(created.run, { status: "running", instructions: 1, pc: 1, packed: 0 });
  const claimed = await registry.claim(run.id, 1);
  const limits = { invocationMs: 800_000, dailyMicroUsd: 50_000 };
  const reserved = await registry.reserveToday(claimed, { microUsd, tokens: 1 }, limits);
  if (!reserved) throw new Error("The day has no room.");
  return reserved;
}
