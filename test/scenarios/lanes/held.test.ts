/** A reservation of a lane that is refused: by whom, whether the room comes back, and which ceiling has none. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../lib/core/errors.ts";
import type { Model, Table, Write } from "../../../lib/core/ports.ts";
import type { Budget } from "../../../lib/core/run/option-forms.ts";
import { poolKey } from "../../../lib/registry/keys.ts";
import { createRegistry } from "../../../lib/registry/registry.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { obeyAtOnce, parts, programIn } from "../../doubles/lane-programs.ts";
import { aSubmission, compute } from "../../doubles/machines.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { aRun } from "../../doubles/runs.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

type Transact = Table["transact"];

/** The storage with transactions as `through` makes them. */
function storageWith(through: (transact: Transact) => Transact) {
  const storage = lastingStorage();
  const { table } = storage;
  return { ...storage, table: { ...table, transact: through((writes) => table.transact(writes)) } };
}

const keyOf = (write: Write) => ("put" in write ? write.put : "update" in write ? write.update : undefined);

/** What a transaction adds to the tokens that all lanes have spent and reserved. */
const committedIn = (writes: Write[]): number =>
  writes.reduce((sum, write) => sum + ("update" in write ? (write.add?.committedTokens ?? 0) : 0), 0);

/** There is room for both instructions, of which each takes 1,100 tokens, but not for two reservations. */
const shortOfTokens = () =>
  aSubmission({
    profile: { maxOutputTokens: 100 },
    options: { reflect: 0, parallel: 2, budget: { tokens: 12_000 } },
    submission: { program: programIn(parts(2)) },
  });

describe("a reservation of a run with lanes", () => {
  it("is made again where other runs were faster on the day, and the run goes on", async () => {
    // As often as a reservation is tried.
    let refusals = 5;
    const storage = storageWith((transact) => async (writes) => {
      const ofDay = writes.flatMap((write, place) => (keyOf(write)?.pk.startsWith("DAY#") ? [place] : []));
      if (ofDay.length === 0 || refusals === 0) return transact(writes);
      refusals -= 1;
      return { ok: false, refused: ofDay };
    });
    const machine = opened({ model: scriptedModel(obeyAtOnce), clock: nappingClock, storage, dailyUsd: 100 });
    const priced = await aSubmission({
      profile: { price: { input: 1, output: 10 } },
      options: { reflect: 0, parallel: 2, budget: { turns: 100 } },
      submission: { program: programIn(parts(1)) },
    });
    const run = await compute(machine, priced);
    expect(refusals).toBe(0);
    expect(run).toMatchObject({ status: "completed", calls: 1 });
  });

  it("goes on where the call that held the room fails before the lane looks again", async () => {
    const failing = Promise.withResolvers<void>();
    const settled = Promise.withResolvers<void>();
    const storage = storageWith((transact) => async (writes) => {
      const written = await transact(writes);
      if (written.ok && committedIn(writes) < 0) settled.resolve();
      if (!written.ok && committedIn(writes) > 0) {
        failing.resolve();
        await settled.promise;
      }
      return written;
    });
    const script = scriptedModel(obeyAtOnce);
    let asked = 0;
    const model: Model = {
      async ask(request, signal, progress) {
        asked += 1;
        if (asked > 1) return script.ask(request, signal, progress);
        await failing.promise;
        throw new ModelError("busy", { kind: "unavailable", perhapsPaid: false });
      },
    };
    const machine = opened({ model, clock: nappingClock, storage });
    const run = await compute(machine, await shortOfTokens());
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    expect(run).toMatchObject({ status: "completed", calls: 2 });
    expect(events.some(({ type }) => type === "halted")).toBe(false);
  });

  it("is looked at again and again, and the instruction is said to begin once", async () => {
    const seen = Promise.withResolvers<void>();
    let refused = 0;
    const storage = storageWith((transact) => async (writes) => {
      const written = await transact(writes);
      if (!written.ok && committedIn(writes) > 0) refused += 1;
      if (refused > 20) seen.resolve();
      return written;
    });
    const script = scriptedModel(obeyAtOnce);
    const model: Model = {
      async ask(request, signal, progress) {
        await seen.promise;
        return script.ask(request, signal, progress);
      },
    };
    const machine = opened({ model, clock: nappingClock, storage });
    const run = await compute(machine, await shortOfTokens());
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    const begun = events.filter((event) => event.type === "instruction_started" && event.lane !== undefined);
    expect(run).toMatchObject({ status: "completed", calls: 2 });
    expect(begun.length).toBeLessThan(3);
  });

  it("is looked at again by the run, and the instruction is said to begin once", async () => {
    const seen = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let refused = 0;
    // The lane reserves first, and keeps its call in flight until the run has looked ten times.
    const storage = storageWith((transact) => async (writes) => {
      const isOfLane = writes.some((write) => keyOf(write)?.sk.startsWith("LANE#"));
      const reserves = committedIn(writes) > 0;
      if (reserves && !isOfLane) await held.promise;
      const written = await transact(writes);
      if (reserves && isOfLane && written.ok) held.resolve();
      if (reserves && !isOfLane && !written.ok) refused += 1;
      if (refused === 10) seen.resolve();
      return written;
    });
    const script = scriptedModel(obeyAtOnce);
    const model: Model = {
      async ask(request, signal, progress) {
        await seen.promise;
        return script.ask(request, signal, progress);
      },
    };
    const machine = opened({ model, clock: nappingClock, storage });
    const run = await compute(machine, await shortOfTokens());
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    const begun = events.filter((event) => event.type === "instruction_started" && event.instruction === 1);
    expect(run).toMatchObject({ status: "completed", calls: 2 });
    expect(refused).toBeGreaterThanOrEqual(10);
    expect(begun).toHaveLength(1);
  });

  it.each([
    ["usd", { usd: 1, tokens: 1_000_000, turns: 10 }, { microUsd: 2_000_000, tokens: 10 }],
    ["tokens", { usd: 10, tokens: 1_000, turns: 10 }, { microUsd: 1, tokens: 2_000 }],
    ["turns", { usd: 10, tokens: 1_000, turns: 1 }, { microUsd: 1, tokens: 10 }],
  ] as const)("names the ceiling that refused it: %s", async (ceiling, budget: Budget, reservation) => {
    const { table } = lastingStorage();
    const registry = createRegistry({ table, clock: fakeClock(0) });
    const { options } = aRun();
    await registry.create(aRun({ options: { ...options, parallel: 2, budget } }));
    // A turn of another lane.
    await table.transact([{ update: poolKey(aRun().id), add: { turns: 1, committedTurns: 1 } }]);
    const run = await registry.claim(aRun().id, aRun().epoch);
    await expect(registry.reserve(run, reservation, 1_000)).rejects.toMatchObject({ ceiling, mayReturn: false });
  });
});
