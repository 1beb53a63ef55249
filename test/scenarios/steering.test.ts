/** A run that a person steers: a hint for a stuck instruction, another model, and a crash at any call of it. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import { HINT_CHARS } from "../../lib/core/limits.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { aRun } from "../doubles/runs.ts";
import { placeOf, programOf, type Said, scriptedModel, writeFile, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;
const HINT = "Write the file h.txt, then complete.";
const BLOCK = `# Help from the user\n\n${HINT}`;
const done: Said = { calls: [["complete_instruction", { summary: "done" }]] };
const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

/** Instruction 2 of 3 goes in circles until it has a hint. */
function helpless(request: ModelRequest): Said {
  const { planning, instruction, answers } = placeOf(request);
  if (planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
  if (instruction === 2 && !textOf(request).includes(BLOCK)) return { calls: [["list_files", {}]] };
  return answers === 0 ? { calls: [writeFile(instruction === 2 ? "h.txt" : `f${instruction}.txt`)] } : done;
}

const submission = (options: Partial<RunOptions> = {}) => aSubmission({ options: { reflect: 0, ...options } });
const resumedEvent = async (machine: TestMachine, { id }: Run) =>
  (await look(machine, id)).events.findLast(({ type }) => type === "resumed");

async function expectExactReplay(machine: TestMachine, run: Run): Promise<void> {
  const { treeHash, expected, turns, difference } = await machine.replay(run.id);
  expect(difference).toBeUndefined();
  expect(treeHash).toBe(expected);
  expect(turns).toBe(run.turns);
}

describe("a hint at resume", () => {
  it("is shown to the stuck instruction as a block of its own, and to no other", async () => {
    const model = scriptedModel(helpless);
    const machine = opened({ model });
    const stuck = await compute(machine, await submission());
    expect(stuck).toMatchObject({ status: "partial", reason: "trapped", pc: 2 });
    const before = model.requests.length;
    expect(await machine.resume(stuck.id, { hint: HINT })).toMatchObject({ status: "running", hint: HINT });
    expect(await resumedEvent(machine, stuck)).toMatchObject({ epoch: 2, hint: HINT });
    const run = await machine.compute(stuck.id, never);
    expect(run).toMatchObject({ status: "completed", packed: 3 });
    expect(run).not.toHaveProperty("hint");
    const after = model.requests.slice(before);
    expect(after.map((request) => [placeOf(request).instruction, textOf(request).includes(BLOCK)])).toEqual([
      ...[2, 2].map((at) => [at, true]),
      ...[3, 3].map((at) => [at, false]),
    ]);
    await expectExactReplay(machine, run);
  });

  it("helps planning too", async () => {
    const model = scriptedModel((request) =>
      placeOf(request).planning && !textOf(request).includes(HINT) ? { text: "Hm." } : writerOf(2, () => [])(request),
    );
    const machine = opened({ model });
    const stuck = await compute(machine, await submission());
    expect(stuck).toMatchObject({ status: "failed", reason: "planning" });
    await machine.resume(stuck.id, { hint: HINT });
    const run = await machine.compute(stuck.id, never);
    expect(run.instructions).toBe(2);
    expect(run).not.toHaveProperty("hint");
  });

  it("begins a fresh conversation where the instruction was not stuck, with as many turns as before it", async () => {
    const busy = (request: ModelRequest): Said => {
      const { planning, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      if (textOf(request).includes(BLOCK) && answers >= 25) return done;
      return { calls: [writeFile(`n${answers}.txt`, `${textOf(request).includes(BLOCK)}`)] };
    };
    const model = scriptedModel(busy);
    const machine = opened({ model });
    const stopped = await compute(machine, await submission({ budget: { turns: 26 } }));
    expect(stopped).toMatchObject({ status: "partial", reason: "turns", turn: 25 });
    await machine.resume(stopped.id, { budget: { turns: 100 }, hint: HINT });
    const run = await machine.compute(stopped.id, never);
    // More turns than an instruction has without one.
    expect(run).toMatchObject({ status: "completed", turns: 52 });
    await expectExactReplay(machine, run);
  });

  it("masks what looks like a secret", async () => {
    const machine = opened({ model: scriptedModel(helpless) });
    const stuck = await compute(machine, await submission());
    const key = `sk-${"a1B2c3D4e5F6".repeat(4)}`;
    const { hint } = await machine.resume(stuck.id, { hint: `Use ${key}.` });
    expect(hint).not.toContain(key);
    expect(JSON.stringify(await resumedEvent(machine, stuck))).not.toContain(key);
  });

  it("is refused where no instruction is left for it, and nothing changes", async () => {
    const machine = opened({ model: scriptedModel(writerOf(1, () => [])) });
    const waiting = await compute(machine, await submission({ approve: "plan" }));
    await machine.reject(waiting.id);
    const before = await machine.registry.run(waiting.id);
    await expect(machine.resume(waiting.id, { hint: HINT })).rejects.toMatchObject({ exitCode: 2, field: "hint" });
    expect(await machine.registry.run(waiting.id)).toEqual(before);
    expect(HINT.length).toBeLessThan(HINT_CHARS);
  });
});

const first = { ...aRun().profile, model: "first", price: { input: 2, output: 10 } };
const second = { ...first, model: "second", price: { input: 4, output: 20 }, contextWindow: 64_000 };
const unpriced = { ...first, model: "unpriced", price: undefined };

/** The first model goes in circles at instruction 2; any other computes. */
const byName = (seen: string[]) => (run: Run) => {
  const { model } = run.profile;
  return scriptedModel((request) => {
    seen.push(`${placeOf(request).instruction} ${model}`);
    return model === "first" ? helpless(request) : writerOf(3, (n) => [{ path: `f${n}.txt`, content: "x" }])(request);
  });
};

describe("another model at resume", () => {
  it("is asked from there on, at its own price, and the replay remembers which was asked before", async () => {
    const seen: string[] = [];
    const machine = opened({ modelFor: byName(seen) });
    const stuck = await compute(
      machine,
      await aSubmission({ options: { reflect: 0, budget: { usd: 5 } }, profile: first }),
    );
    const before = seen.length;
    await machine.resume(stuck.id, { models: { profile: second, server: {} }, options: { effort: "high" } });
    expect(await resumedEvent(machine, stuck)).toMatchObject({ model: "second", effort: "high" });
    const run = await machine.compute(stuck.id, never);
    expect(run).toMatchObject({ status: "completed", profile: { model: "second" }, options: { effort: "high" } });
    expect(seen.slice(before)).toEqual(["2 second", "2 second", "3 second", "3 second"]);
    expect(run.paid).toEqual([stuck.microUsd, run.microUsd - stuck.microUsd]);
    expect(run.microUsd - stuck.microUsd).toBe(4 * (4 * 1_000 + 20 * 100));
    await expectExactReplay(machine, run);
  });

  it("can be the same one with another window, and the first one again", async () => {
    const machine = opened({ modelFor: byName([]) });
    const stuck = await compute(machine, await aSubmission({ options: { reflect: 0 }, profile: first }));
    const wider = { ...first, contextWindow: 256_000 };
    await machine.resume(stuck.id, { models: { profile: wider, server: {} } });
    const again = await machine.compute(stuck.id, never);
    expect(again).toMatchObject({ reason: "trapped", asks: 1, profile: { contextWindow: 256_000 } });
    // The same once more changes nothing.
    expect((await machine.resume(stuck.id, { models: { profile: wider, server: {} } })).models).toHaveLength(2);
    await machine.compute(stuck.id, never);
    await machine.resume(stuck.id, { models: { profile: first, server: {} }, hint: HINT });
    const run = await machine.compute(stuck.id, never);
    expect(run).toMatchObject({ status: "completed", asks: 2, profile: { contextWindow: 128_000 } });
    await expectExactReplay(machine, run);
  });

  it("does not stand in for the one before it, in the replay as in the run", async () => {
    const failing = (run: Run) =>
      scriptedModel((request) => {
        const isSilent = ["first", "other"].includes(run.profile.model) && placeOf(request).instruction === 2;
        if (isSilent) throw new ModelError("It takes too long.", { kind: "timed_out", perhapsPaid: false });
        return writerOf(2, (n) => [{ path: `f${n}.txt`, content: "x" }])(request);
      });
    const machine = opened({ modelFor: failing });
    const stuck = await compute(
      machine,
      await aSubmission({
        options: { reflect: 0 },
        profile: first,
        submission: { models: [first, { ...first, model: "other" }] },
      }),
    );
    expect(stuck).toMatchObject({ reason: "trapped", profile: { model: "other" } });
    await machine.resume(stuck.id, { models: { profile: second, models: [second, unpricedFree], server: {} } });
    const run = await machine.compute(stuck.id, never);
    expect(run.models?.map(({ model }) => model)).toEqual(["first", "other", "second", "spare"]);
    expect(run).toMatchObject({ status: "completed", asks: 2 });
    await expectExactReplay(machine, run);
  });

  it("is refused where its price is unknown and the run has a ceiling in US dollars", async () => {
    const machine = opened({ modelFor: byName([]) });
    const stuck = await compute(
      machine,
      await aSubmission({ options: { reflect: 0, budget: { usd: 5 } }, profile: first }),
    );
    const before = await machine.registry.run(stuck.id);
    const { price: _price, ...profile } = unpriced;
    await expect(machine.resume(stuck.id, { models: { profile, server: {} } })).rejects.toMatchObject({
      ...{ exitCode: 2, field: "model", message: expect.stringContaining("No price is known for unpriced") },
    });
    const rehearsal = { ...first, model: "rehearsal" };
    await expect(machine.resume(stuck.id, { models: { profile: rehearsal, server: {} } })).rejects.toThrow("rehearsal");
    expect(await machine.registry.run(stuck.id)).toEqual(before);
  });
});

const unpricedFree = { ...second, model: "spare" };

describe("--on-stuck skip at resume", () => {
  it("skips the instruction when it is stuck again, and the replay stops and skips where the run did", async () => {
    const machine = opened({ model: scriptedModel(helpless) });
    const stuck = await compute(machine, await submission());
    await machine.resume(stuck.id, { options: { onTrap: "skip", stream: false } });
    const run = await machine.compute(stuck.id, never);
    expect(run).toMatchObject({ status: "partial", skipped: 1, packed: 3, options: { stream: false } });
    expect(run.turns).toBeGreaterThan(stuck.turns + 4);
    await expectExactReplay(machine, run);
  });
});

describe("a process that is killed while it resumes with a hint", () => {
  it("has resumed the run with it, or not at all", async () => {
    for (let call = 1, died = true; died; call += 1) {
      for (const when of ["before", "after"] as const) {
        const lasting = lastingStorage();
        const planner = opened({ storage: lasting, model: scriptedModel(helpless) });
        const stuck = await compute(planner, await submission());
        const mortal = mortalStorage(lasting, { call, when });
        const dying = opened({ storage: mortal, model: scriptedModel(helpless) });
        await dying.resume(stuck.id, { hint: HINT }).catch((error: unknown) => {
          if (!mortal.isDead()) throw error;
        });
        died = mortal.isDead();
        const next = opened({ storage: lasting, model: scriptedModel(helpless) });
        await next.sweep();
        const found = await next.registry.run(stuck.id);
        if (found?.epoch === stuck.epoch) expect(found).toEqual(stuck);
        else expect(found).toMatchObject({ hint: HINT });
        await next.resume(stuck.id, found?.hint === undefined ? { hint: HINT } : {});
        expect(await next.compute(stuck.id, never)).toMatchObject({ status: "completed", packed: 3 });
      }
    }
  });
});
