/** A run with models that stand in for each other: who is asked when, at what price, and what a crash changes in it. */
import { describe, expect, it } from "vitest";
import { ModelError, type ModelErrorKind } from "../../lib/core/errors.ts";
import type { Clock, Model } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { systemClock } from "../../lib/host/system-clock.ts";
import { throughDeaths } from "../doubles/deaths.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { aRun } from "../doubles/runs.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { placeOf, type ScriptedModel, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();

const oneFile = (instruction: number) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }];
const profile = { ...aRun().profile, model: "first", price: { input: 2, output: 10 } };
const second = { ...profile, model: "second", price: { input: 4, output: 20 }, contextWindow: 64_000 };
const third = { ...profile, model: "third", price: { input: 8, output: 40 } };

const listed = (models = [profile, second, third]) =>
  aSubmission({ options: { reflect: 0, budget: { usd: 5 } }, profile, submission: { models } });

const failure = (kind: ModelErrorKind) => new ModelError(`It says ${kind}.`, { kind, perhapsPaid: false });
const works = writerOf(3, oneFile);

/** The first model fails at instruction 2, from its first answer on. */
const failingAt2 = (kind: ModelErrorKind): ScriptedModel =>
  scriptedModel((request) => {
    if (placeOf(request).instruction === 2) throw failure(kind);
    return works(request);
  });

/** Waiting for a rate limit takes no time here. */
const LONGEST_WAIT_MS = 300_000;
const clock: Clock = {
  ...systemClock,
  sleep: async (milliseconds, signal) =>
    milliseconds <= LONGEST_WAIT_MS ? signal?.throwIfAborted() : systemClock.sleep(milliseconds, signal),
};

function opened(models: Record<string, Model>): TestMachine {
  const machine = aMachine({ modelFor: modelOf(models), clock });
  machines.push(machine);
  return machine;
}

const modelOf =
  (models: Record<string, Model>) =>
  (run: Run): Model => {
    const model = models[run.profile.model];
    if (!model) throw new Error(`No model answers for ${run.profile.model}.`);
    return model;
  };

const instructionsOf = ({ requests }: ScriptedModel): number[] => [
  ...new Set(requests.map((request) => placeOf(request).instruction)),
];

async function turnsOf(machine: TestMachine, id: string) {
  const events = await machine.registry.events(id, { after: 0, limit: 10_000 });
  const turns = events.flatMap((event) => (event.type === "turn" ? [event] : []));
  return { events, turns, changes: events.flatMap((event) => (event.type === "model_changed" ? [event] : [])) };
}

describe("a model that gives no answers", () => {
  it.each(["rate_limited", "quota", "unavailable"] as const)(
    "because of %s is stood in for by the next, for this instruction only",
    async (kind) => {
      const [first, other] = [failingAt2(kind), scriptedModel(works)];
      const machine = opened({ first, second: other });
      const run = await compute(machine, await listed());
      expect(run).toMatchObject({ status: "completed", profile: { model: "first" } });
      expect(instructionsOf(other)).toEqual([2]);
      expect(instructionsOf(first)).toEqual([0, 1, 2, 3]);
      const { turns, changes } = await turnsOf(machine, run.id);
      expect(changes).toMatchObject([{ instruction: 2, from: "first", to: "second", why: `It says ${kind}.` }]);
      const prices = { first: 2 * 1_000 + 10 * 100, second: 4 * 1_000 + 20 * 100 };
      expect(turns.map(({ instruction, model, microUsd }) => [instruction, model, microUsd])).toEqual(
        [0, 1, 1, 2, 2, 3, 3].map((at) => (at === 2 ? [at, "second", prices.second] : [at, "first", prices.first])),
      );
      expect(run).toMatchObject({ microUsd: 5 * prices.first + 2 * prices.second });
      expect(run.paid).toEqual([5 * prices.first, 2 * prices.second, 0]);
    },
  );

  it("in time, three times in one instruction, is stood in for too, with a full output limit again", async () => {
    const first = failingAt2("timed_out");
    const other = scriptedModel(works);
    const machine = opened({ first, second: other });
    const run = await compute(machine, await listed());
    expect(run).toMatchObject({ status: "completed" });
    const limits = first.requests.filter((request) => placeOf(request).instruction === 2);
    expect(limits.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([16_384, 8_192, 4_096]);
    expect(other.requests[0]?.maxOutputTokens).toBe(16_384);
    const { treeHash, expected, difference } = await machine.replay(run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
  });

  it.each(["refused", "credentials", "unknown_model"] as const)(
    "but does not fall back after %s: the same would be refused again",
    async (kind) => {
      const other = scriptedModel(works);
      const run = await compute(opened({ first: failingAt2(kind), second: other }), await listed());
      expect(run).toMatchObject({ status: "failed", packed: 1 });
      expect(other.requests).toEqual([]);
    },
  );

  it("ends the run only where the last of the list gives none either", async () => {
    const models = { first: failingAt2("quota"), second: failingAt2("unavailable"), third: failingAt2("quota") };
    const machine = opened(models);
    const run = await compute(machine, await listed());
    expect(run).toMatchObject({ status: "failed", reason: "provider", profile: { model: "third" }, packed: 1 });
    expect((await turnsOf(machine, run.id)).changes.map(({ to }) => to)).toEqual(["second", "third"]);
  });

  it("is asked for nothing that the price of the next would take over the ceiling", async () => {
    const dear = { ...second, price: { input: 4_000, output: 20_000 } };
    const machine = opened({ first: failingAt2("quota"), second: scriptedModel(works) });
    const run = await compute(machine, await listed([profile, dear]));
    expect(run).toMatchObject({ status: "partial", reason: "usd" });
    expect(run.microUsd).toBeLessThanOrEqual(5_000_000);
  });

  it("leaves a journal that replays to the same requests and files", async () => {
    const machine = opened({ first: failingAt2("quota"), second: scriptedModel(works) });
    const run = await compute(machine, await listed());
    const { treeHash, expected, difference, turns } = await machine.replay(run.id);
    expect([difference, treeHash, turns]).toEqual([undefined, expected, run.turns]);
  });
});

describe("a process that is killed while another model stands in", () => {
  it.each(["before", "after"] as const)(
    "%s any of its calls leaves a run whose next process asks that model, not the first",
    async (when) => {
      const submission = await listed();
      const model = () => modelOf({ first: failingAt2("quota"), second: scriptedModel(works) });
      const begin = () => ({ submission, model: model(), homes: machines });
      const expected = await throughDeaths(begin(), []);
      expect(expected.run).toMatchObject({ status: "completed" });
      for (const call of sampledCalls(1, expected.boundaries)) {
        const { run, hash, events } = await throughDeaths(begin(), [{ call, when }]);
        expect(run, `${call}`).toMatchObject({ status: "completed", profile: { model: "first" } });
        expect(hash, `${call}`).toBe(expected.hash);
        const changes = events.filter(({ type }) => type === "model_changed");
        expect(changes, `${call}`).toHaveLength(1);
      }
    },
  );
});
