/** What lanes wait for: each other's reservations, the evaluator, a run that is resumed with another model. */
import { describe, expect, it } from "vitest";
import { ModelError, NotReady } from "../../../lib/core/errors.ts";
import type { Clock, Evaluator, Model } from "../../../lib/core/ports.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { obeyAtOnce, parts, submissionOf } from "../../doubles/lane-programs.ts";
import { aVerdict, compute, nothingToCheck } from "../../doubles/machines.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { aRun } from "../../doubles/runs.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

const eventsOf = (machine: ReturnType<typeof opened>, id: string) =>
  machine.registry.events(id, { after: 0, limit: 1_000 });

describe("a lane whose call does not fit beside the calls in flight", () => {
  it("waits for them, and makes it with what they leave", async () => {
    const HELD_MS = 2_000;
    const held = Promise.withResolvers<void>();
    const clock: Clock = {
      ...systemClock,
      sleep(milliseconds, signal) {
        if (milliseconds === HELD_MS) held.resolve();
        return nappingClock.sleep(milliseconds, signal);
      },
    };
    const script = scriptedModel(obeyAtOnce);
    const reserved: number[] = [];
    const model: Model = {
      async ask(request, signal, progress) {
        reserved.push(await machine.registry.callsInFlight(await present(run.id)));
        // The first call lasts until another lane has found that its own does not fit.
        await held.promise;
        return script.ask(request, signal, progress);
      },
    };
    const machine = opened({ model, clock });
    const present = async (id: string) => (await machine.registry.run(id)) ?? aRun();
    // Two calls of 1,100 tokens fit, two reservations do not.
    const run = await machine.submit(await submissionOf(parts(2), 2, { budget: { tokens: 12_000 } }));
    const ended = await machine.compute(run.id, never);
    expect(ended).toMatchObject({ status: "completed", calls: 2 });
    expect(reserved).toEqual([1, 1]);
  });
});

describe("a lane whose evaluator is not ready", () => {
  const flaky = (refusals: number): Evaluator => ({
    async evaluate(request, signal) {
      if (/-\d+$/.test(request.runId) && refusals > 0) {
        refusals -= 1;
        throw new NotReady("starting", 1_000);
      }
      return nothingToCheck.evaluate(request, signal);
    },
  });
  const judged = async (refusals: number) => {
    const machine = opened({ model: scriptedModel(obeyAtOnce), evaluator: flaky(refusals), clock: nappingClock });
    const run = await compute(machine, await submissionOf(parts(3), 2));
    return { run, events: await eventsOf(machine, run.id), replayed: await machine.replay(run.id) };
  };

  it("asks again, and keeps what its turn was paid for", async () => {
    const { run, events, replayed } = await judged(2);
    expect(run).toMatchObject({ status: "completed", calls: 3 });
    expect(events.some(({ type }) => type === "dropped")).toBe(false);
    expect(replayed.difference).toBeUndefined();
  });
});

describe("the evaluator of a run with lanes", () => {
  it("is released for each of them", async () => {
    const released: string[] = [];
    const names = new Set<string>();
    const evaluator: Evaluator = {
      async evaluate({ runId }) {
        names.add(runId);
        return aVerdict({});
      },
      async release(runId) {
        released.push(runId);
      },
    };
    const machine = opened({ model: scriptedModel(obeyAtOnce), evaluator, clock: nappingClock });
    const run = await compute(machine, await submissionOf(parts(4), 3));
    expect(released.toSorted()).toEqual([run.id, `${run.id}-2`, `${run.id}-3`]);
    expect([...names].every((name) => released.includes(name))).toBe(true);
  });
});

describe("a run with lanes that is resumed with another model", () => {
  it("asks that model in every lane", async () => {
    const asked: string[] = [];
    const machine = opened({
      clock: nappingClock,
      modelFor: ({ profile }) => ({
        async ask(request, signal, progress) {
          asked.push(profile.model);
          if (profile.model === "test") throw new ModelError("no such model", { kind: "refused", perhapsPaid: false });
          return scriptedModel(obeyAtOnce).ask(request, signal, progress);
        },
      }),
    });
    const run = await compute(machine, await submissionOf(parts(5), 3));
    expect(run).toMatchObject({ status: "failed", reason: "provider", calls: 0 });
    asked.length = 0;
    await machine.resume(run.id, { models: { profile: { ...run.profile, model: "other" }, server: {} } });
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed", calls: 5 });
    expect(asked).toEqual(Array.from({ length: 5 }, () => "other"));
  });
});
