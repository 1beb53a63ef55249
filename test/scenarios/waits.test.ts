/** Waiting for servers: in one wait however long it is, bounded, reported with its end, and over at once when cancelled. */
import { describe, expect, it } from "vitest";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { ModelError, NotReady } from "../../lib/core/errors.ts";
import type { Clock, Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { aRun } from "../doubles/runs.ts";
import { placeOf, type Said, scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { createVirtualClock } from "../virtual-clock.ts";

const { machines } = openedMachines();

const NOON = Date.parse("2026-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;
const works = writerOf(3, (instruction) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }]);
const unreflected = { options: { reflect: 0 } };
const busy = (retryAfterMs: number) =>
  new ModelError("The model server at models.example answered 429: the quota of this day is used up.", {
    kind: "rate_limited",
    retryAfterMs,
    perhapsPaid: false,
  });

/** In memory, so that time passes only where nothing is left to do. */
function opened(
  parts: Pick<Parameters<typeof aMachine>[0], "model" | "modelFor" | "evaluator" | "random"> & { clock?: Clock },
) {
  const clock = parts.clock ?? createVirtualClock(NOON);
  const machine = aMachine({ ...parts, clock, storage: lastingStorage() });
  machines.push(machine);
  return { machine, clock };
}

/** Refuses at the n-th call, once. */
function refusingAt(call: number, refusal: () => Error, script: (request: ModelRequest) => Said = works) {
  return scriptedModel((request, number) => {
    if (number === call) throw refusal();
    return script(request);
  });
}

const hashOf = async ({ registry }: TestMachine, { id }: Run) => treeHash(await registry.allFiles(id));
const waitsOf = async ({ registry }: TestMachine, { id }: Run) =>
  (await registry.events(id, { after: 0, limit: 1_000 })).flatMap((event) => (event.type === "waiting" ? [event] : []));

async function undisturbed() {
  const { machine } = opened({ model: scriptedModel(works) });
  const run = await compute(machine, await aSubmission(unreflected));
  return { run, hash: await hashOf(machine, run) };
}

describe("a model server that asks to come back later", () => {
  it.each([20, 24])("in %i hours is asked again after one wait, and nothing is invoked in between", async (hours) => {
    const expected = await undisturbed();
    const { machine, clock } = opened({ model: refusingAt(4, () => busy(hours * HOUR_MS)) });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", calls: expected.run.calls });
    expect(clock.now() - NOON).toBeGreaterThanOrEqual(hours * HOUR_MS);
    expect(clock.now() - NOON).toBeLessThan((hours + 0.2) * HOUR_MS);
    expect(await waitsOf(machine, run)).toHaveLength(1);
    // Every invocation claims the run: one more than undisturbed is the one that goes on when the wait is over.
    expect(run.attempt).toBe(expected.run.attempt + 1);
    expect(await hashOf(machine, run)).toBe(expected.hash);
  });

  it("in more than a day is not waited for: the run ends with what the server said, and until when", async () => {
    const { machine, clock } = opened({ model: refusingAt(4, () => busy(24 * HOUR_MS + 1_000)) });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "failed", reason: "provider", packed: 1 });
    expect(run.detail).toContain("the quota of this day is used up");
    expect(run.detail).toContain("2026-03-02 12:00 UTC");
    expect(clock.now() - NOON).toBeLessThan(HOUR_MS);
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });

  it("later than the run's minutes last is not waited for either: it ends at them, at once", async () => {
    const { machine, clock } = opened({ model: refusingAt(4, () => busy(HOUR_MS)) });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0, budget: { minutes: 30 } } }));
    expect(run).toMatchObject({ status: "partial", reason: "minutes", packed: 1 });
    expect(run.detail).toMatch(/the quota of this day is used up\. Waiting until 2026-03-01 13:.* than .* 30 minutes/);
    expect(clock.now() - NOON).toBeLessThan(60_000);
    expect(run.activeMs).toBeLessThan(60_000);
  });

  it("is left for the next model, where the wait for it would take too long", async () => {
    const profile = { ...aRun().profile, model: "first" };
    const models = [profile, { ...profile, model: "second" }];
    const first = scriptedModel((request) => {
      if (placeOf(request).instruction > 0) throw busy(HOUR_MS);
      return works(request);
    });
    const { machine } = opened({ modelFor: (run) => (run.profile.model === "first" ? first : scriptedModel(works)) });
    const options = { reflect: 0, budget: { minutes: 30 } };
    const run = await compute(machine, await aSubmission({ options, profile, submission: { models } }));
    expect(run.status).toBe("completed");
  });
});

describe("a rate limit", () => {
  /** Refuses each call from the fourth on, for so long. */
  const limitedFor = (hours: number, clock: Clock) =>
    scriptedModel((request, number) => {
      const isOver = clock.now() >= NOON + hours * HOUR_MS;
      if (number >= 4 && !isOver)
        throw new ModelError("Too many tokens.", { kind: "rate_limited", perhapsPaid: false });
      return works(request);
    });

  it("of two hours is waited out outside of any invocation, and ends no run", async () => {
    const expected = await undisturbed();
    const clock = createVirtualClock(NOON);
    const { machine } = opened({ model: limitedFor(2, clock), clock, random: () => 0.5 });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "completed", calls: expected.run.calls });
    expect(await hashOf(machine, run)).toBe(expected.hash);
    const waits = await waitsOf(machine, run);
    expect(waits.length).toBeGreaterThan(40);
    // Each wait is followed by one invocation, which claims the run.
    expect(run.attempt).toBe(expected.run.attempt + waits.length);
  });

  it("of seven hours ends the run with what it has, says how often it was tried, and can be resumed", async () => {
    const clock = createVirtualClock(NOON);
    const { machine } = opened({ model: limitedFor(7, clock), clock, random: () => 0.5 });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "failed", reason: "provider", packed: 1 });
    expect(run.detail).toContain("Too many tokens. It was called 150 times");
    expect((clock.now() - NOON) / HOUR_MS).toBeCloseTo(6, 0);
    await clock.sleep(2 * HOUR_MS);
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
  });

  it("is left at once by Ctrl-C, and the run goes on when it is resumed", async () => {
    const clock = createVirtualClock(NOON);
    const stop = new AbortController();
    const model = limitedFor(3, clock);
    const asked = model.ask;
    model.ask = async (request, signal) => {
      if (clock.now() > NOON + HOUR_MS) stop.abort();
      return asked(request, signal);
    };
    const { machine } = opened({ model, clock, random: () => 0.5 });
    const { id } = await machine.submit(await aSubmission(unreflected));
    expect(await machine.compute(id, stop.signal)).toMatchObject({ status: "waiting", reason: "interrupted" });
    expect(clock.now() - NOON).toBeLessThan(1.2 * HOUR_MS);
    await machine.resume(id, {});
    model.ask = asked;
    expect(await machine.compute(id, never)).toMatchObject({ status: "completed" });
  });
});

describe("an evaluator that is not ready", () => {
  /** Not ready in these spans of time; asked again every ten minutes. */
  const absentIn = (spans: [from: number, to: number][], clock: Clock): Evaluator => ({
    async evaluate() {
      const hours = (clock.now() - NOON) / HOUR_MS;
      if (spans.some(([from, to]) => hours >= from && hours < to)) throw new NotReady("starting", 600_000);
      return aVerdict({});
    },
  });

  it("is waited for no longer than waiting may help", async () => {
    const clock = createVirtualClock(NOON);
    const evaluate = async () => {
      throw new NotReady("replaced", 60_000, 15 * 60_000);
    };
    const { machine } = opened({ model: scriptedModel(works), clock, evaluator: { evaluate } });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "partial", reason: "evaluator_not_ready" });
    expect(run.detail).toMatch(/\(replaced\), and a run waits 15 minutes/);
    expect(clock.now() - NOON).toBeLessThan(0.3 * HOUR_MS);
  });

  it("is waited for for six hours, then the run ends with what it has, and can be resumed", async () => {
    const clock = createVirtualClock(NOON);
    const model = scriptedModel(works);
    const { machine } = opened({ model, clock, evaluator: absentIn([[0, 7]], clock) });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run).toMatchObject({ status: "partial", reason: "evaluator_not_ready", packed: 0 });
    expect(run.detail).toMatch(/not been ready since 2026-03-01 12:.*\(starting\).* 6 hours/);
    expect(run).not.toHaveProperty("waitUntil");
    expect(clock.now() - NOON).toBeLessThanOrEqual(6 * HOUR_MS);
    expect(clock.now() - NOON).toBeGreaterThan(5.5 * HOUR_MS);
    const paid = model.requests.length;
    await clock.sleep(2 * HOUR_MS);
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
    expect(model.requests).toHaveLength(paid + 5);
  });

  it("is waited for in one epoch after the other, where an execution has used up its loops", async () => {
    const clock = createVirtualClock(NOON);
    const evaluator = absentIn([[0, 2]], clock);
    const storage = lastingStorage();
    const machine = aMachine({ model: scriptedModel(works), evaluator, clock, storage, loopLimit: 3 });
    machines.push(machine);
    const plain = await undisturbed();
    const submitted = await machine.submit(await aSubmission(unreflected));
    const run = await machine.compute(submitted.id, never);
    expect(run).toMatchObject({ status: "completed", calls: plain.run.calls });
    // Twelve waits of ten minutes and three instructions, at most four invocations in each epoch.
    expect(run.epoch).toBeGreaterThanOrEqual(4);
    expect(await waitsOf(machine, run)).toHaveLength(12);
    expect(clock.now() - NOON).toBeGreaterThanOrEqual(2 * HOUR_MS);
    expect(clock.now() - NOON).toBeLessThan(2.2 * HOUR_MS);
    expect(await hashOf(machine, run)).toBe(plain.hash);
  });

  it("is waited for undisturbed by the sweeper, although the epoch moved on and its execution is not there yet", async () => {
    const { machine, clock } = opened({
      model: scriptedModel(works),
      evaluator: {
        evaluate: async () => {
          throw new NotReady("starting", HOUR_MS);
        },
      },
    });
    const { createHandlers } = await import("../../lambdas/handlers.ts");
    const handlers = createHandlers(machine.world);
    const invocation = { remainingMs: () => 800_000, signal: never };
    const { id } = await machine.submit(await aSubmission(unreflected));
    await handlers.plan({ runId: id, epoch: 1 }, invocation);
    expect(await handlers.execute({ runId: id, epoch: 1, last: true }, invocation)).toMatchObject({ next: "wait" });
    expect(await machine.registry.run(id)).toMatchObject({
      epoch: 2,
      status: "waiting",
      reason: "evaluator_not_ready",
    });
    const overdueAt = async (now: number) => machine.registry.overdue({ upTo: new Date(now).toISOString(), limit: 10 });
    expect(await overdueAt(clock.now() + HOUR_MS)).toEqual([]);
    expect(await overdueAt(clock.now() + 2 * HOUR_MS)).toEqual([id]);
    // A call of the epoch that is over, delivered late, moves nothing.
    expect(await handlers.execute({ runId: id, epoch: 1, last: true }, invocation)).toEqual({ next: "stop" });
    expect(await handlers.plan({ runId: id, epoch: 2 }, invocation)).toMatchObject({ next: "execute" });
  });

  it("is waited for again after each answer: what it took before does not add up", async () => {
    const clock = createVirtualClock(NOON);
    let asked = 0;
    const evaluator: Evaluator = {
      async evaluate() {
        asked += 1;
        if (asked % 31 > 0) throw new NotReady("starting", 600_000);
        return aVerdict({});
      },
    };
    const { machine } = opened({ model: scriptedModel(works), clock, evaluator });
    const run = await compute(machine, await aSubmission(unreflected));
    expect(run.status).toBe("completed");
    expect(clock.now() - NOON).toBeGreaterThanOrEqual(15 * HOUR_MS);
    expect(run).not.toHaveProperty("evaluatorAwaitedSince");
  });
});

describe("a run that waits", () => {
  const reasons: [string, Parameters<typeof opened>[0]][] = [
    ["rate_limited", { model: refusingAt(4, () => busy(20 * HOUR_MS)) }],
    [
      "evaluator_not_ready",
      {
        model: scriptedModel(works),
        evaluator: {
          evaluate: async () => {
            throw new NotReady("starting", 3 * HOUR_MS);
          },
        },
      },
    ],
  ];

  it.each(reasons)("(%s) says until when, and is cancelled at once on request", async (reason, parts) => {
    const virtual = createVirtualClock(NOON);
    let runId = "";
    let asleep: Run | undefined;
    const clock: Clock = {
      ...virtual,
      async sleep(milliseconds, signal) {
        const run = runId === "" ? undefined : await machine.registry.run(runId);
        if (run?.status === "waiting" && !asleep) {
          asleep = run;
          expect(await machine.cancel(runId)).toMatchObject({ status: "cancelled" });
        }
        return virtual.sleep(milliseconds, signal);
      },
    };
    const { machine } = opened({ ...parts, clock });
    runId = (await machine.submit(await aSubmission(unreflected))).id;
    const run = await machine.compute(runId, never);
    expect(asleep).toMatchObject({ status: "waiting", reason, waitUntil: expect.stringMatching(/^2026-03-0[12]T/) });
    expect(Date.parse(asleep?.waitUntil ?? "") - NOON).toBeGreaterThan(2.9 * HOUR_MS);
    expect(run).toMatchObject({ status: "cancelled", reason: "cancelled" });
    expect(run).not.toHaveProperty("waitUntil");
    // No one slept to the end of the wait.
    expect(virtual.now() - NOON).toBeLessThan(60_000);
  });

  it("says so no more once it goes on, is interrupted, or is resumed before its time", async () => {
    const { machine } = opened({ model: refusingAt(2, () => busy(20 * HOUR_MS)) });
    const { createHandlers } = await import("../../lambdas/handlers.ts");
    const handlers = createHandlers(machine.world);
    const invocation = { remainingMs: () => 800_000, signal: never };
    const { id } = await machine.submit(await aSubmission(unreflected));
    await handlers.plan({ runId: id, epoch: 1 }, invocation);
    expect(await handlers.execute({ runId: id, epoch: 1 }, invocation)).toMatchObject({ next: "wait" });
    const waiting = await machine.registry.run(id);
    expect(waiting).toHaveProperty("waitUntil");
    expect(await machine.registry.claim(id, 1)).not.toHaveProperty("waitUntil");
    expect(await machine.registry.run(id)).not.toHaveProperty("waitUntil");
    const again = { status: "waiting", reason: "rate_limited", waitUntil: "2026-03-02T12:00:00.000Z" } as const;
    const standing = async (): Promise<Run | undefined> => machine.registry.run(id);
    const claimed = await standing();
    if (claimed) await machine.registry.commit(claimed, { run: again });
    await machine.sweep();
    expect(await standing()).toMatchObject({ status: "waiting", reason: "interrupted" });
    expect(await standing()).not.toHaveProperty("waitUntil");
    const interrupted = await standing();
    if (interrupted) await machine.registry.change(interrupted, again);
    expect(await standing()).toHaveProperty("waitUntil");
    await machine.resume(id, {});
    expect(await standing()).not.toHaveProperty("waitUntil");
  });
});
