/** A program that waits for approval is revised by the model as a person asks, and waits again, whatever happens. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { playSampledDeaths } from "../doubles/sampled-calls.ts";
import { placeOf, programOf, type Said, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;
const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");
const revising = (request: ModelRequest): boolean => textOf(request).includes("# What the user wants changed");

/** Writes two instructions; asked for changes, it lists files first and then writes as many as the feedback says. */
function writer(request: ModelRequest): Said {
  const count = Number(/(\d) steps, please/.exec(textOf(request))?.[1] ?? 2);
  if (!revising(request)) return writerOf(count, (n) => [{ path: `f${n}.txt`, content: "x" }])(request);
  return placeOf(request).answers === 0
    ? { text: "Let me think." }
    : { calls: [["write_program", { instructions: programOf(count) }]] };
}

const asking = (options: Partial<RunOptions> = {}) =>
  aSubmission({ options: { reflect: 0, approve: "plan", ...options } });

async function revised(machine: TestMachine, { id }: Run, feedback: string): Promise<Run> {
  await machine.revise(id, feedback);
  return machine.compute(id, never);
}

async function expectExactReplay(machine: TestMachine, { id, turns }: Run): Promise<void> {
  const replayed = await machine.replay(id);
  expect(replayed.difference).toBeUndefined();
  expect(replayed.turns).toBe(turns);
  expect(replayed.treeHash).toBe(replayed.expected);
}

describe("feedback on a program that waits for approval", () => {
  it("is given to the model with the program, and the new program waits again", async () => {
    const model = scriptedModel(writer);
    const machine = opened({ model });
    const planned = await compute(machine, await asking());
    expect(await machine.revise(planned.id, "3 steps, please.")).toMatchObject({ status: "planning", epoch: 2 });
    const run = await machine.compute(planned.id, never);
    expect(run).toMatchObject({ status: "waiting", reason: "approval", instructions: 3, pc: 1, turn: 0 });
    expect(run).not.toHaveProperty("revising");
    expect(run.microUsd).toBe(planned.microUsd);
    const asked = model.requests.find(revising);
    expect(asked && textOf(asked)).toContain("1. **Part 1**");
    expect(asked && textOf(asked)).toContain("# What the user wants changed\n\n3 steps, please.");
    const events = await machine.registry.events(run.id, { after: planned.events, limit: 100 });
    expect(events.slice(0, 2)).toMatchObject([
      { type: "revising", feedback: "3 steps, please." },
      { type: "planning" },
    ]);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["program", "waiting"]);
    await expectExactReplay(machine, run);
  });

  it("can be given again and again; what is approved at last is executed, and all of it replays", async () => {
    const machine = opened({ model: scriptedModel(writer) });
    const planned = await compute(machine, await asking());
    await revised(machine, planned, "3 steps, please.");
    expect(await revised(machine, planned, "4 steps, please.")).toMatchObject({ instructions: 4 });
    await machine.approve(planned.id);
    const run = await machine.compute(planned.id, never);
    expect(run).toMatchObject({ status: "completed", packed: 4 });
    expect((await look(machine, run.id)).paths).toHaveLength(4);
    await expectExactReplay(machine, run);
  });

  it("revises a program that the user gave, too", async () => {
    const machine = opened({ model: scriptedModel(writer) });
    const program = { instructions: programOf(2), requirements: [{ id: "R1", text: "Kept." }] };
    const planned = await compute(
      machine,
      await aSubmission({ options: { approve: "plan" }, submission: { program } }),
    );
    const run = await revised(machine, planned, "3 steps, please.");
    expect(run).toMatchObject({ reason: "approval", instructions: 3 });
    await machine.approve(run.id);
    const done = await machine.compute(run.id, never);
    expect(done.status).toBe("completed");
    expect(await machine.registry.requirements(run.id)).toEqual(program.requirements);
    await expectExactReplay(machine, done);
  });

  it("leaves the program waiting as it was where the model writes none or does not answer", async () => {
    const answers: (() => Said)[] = [
      () => ({ text: "No." }),
      () => {
        throw new ModelError("The key is refused.", { kind: "credentials", perhapsPaid: false });
      },
    ];
    for (const answer of answers) {
      const model = scriptedModel((request) => (revising(request) ? answer() : writer(request)));
      const machine = opened({ model });
      const planned = await compute(machine, await asking());
      const run = await revised(machine, planned, "3 steps, please.");
      expect(run).toMatchObject({ status: "waiting", reason: "approval", instructions: 2 });
      expect(run).not.toHaveProperty("revising");
      const { text } = { text: "", ...(await look(machine, run.id)).events.findLast(({ type }) => type === "notice") };
      expect(text).toMatch(/^The program was not revised and waits as it was\. \S/);
      await machine.approve(run.id);
      const done = await machine.compute(run.id, never);
      expect(done).toMatchObject({ status: "completed", packed: 2 });
      await expectExactReplay(machine, done);
    }
  });

  it("costs no more than the ceilings allow", async () => {
    const machine = opened({ model: scriptedModel(writer) });
    const planned = await compute(machine, await asking({ budget: { turns: 2 } }));
    const run = await revised(machine, planned, "3 steps, please.");
    expect(run).toMatchObject({ reason: "approval", instructions: 2, turns: 2 });
  });

  it("is refused where no program waits, and nothing changes", async () => {
    const machine = opened({ model: scriptedModel(writer) });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    await expect(machine.revise(run.id, "3 steps, please.")).rejects.toMatchObject({ exitCode: 2 });
    expect(await machine.registry.run(run.id)).toEqual(run);
  });
});

describe("a run that stops while its program is revised", () => {
  it("goes on revising when it was interrupted, and waits as it was when it was cancelled", async () => {
    for (const ends of [false, true]) {
      const stop = new AbortController();
      const model = scriptedModel((request) => {
        if (revising(request) && !stop.signal.aborted) {
          stop.abort(new Error("stopped"));
          stop.signal.throwIfAborted();
        }
        return writer(request);
      });
      const machine = opened({ model });
      const planned = await compute(machine, await asking());
      await machine.revise(planned.id, "3 steps, please.");
      expect(await machine.compute(planned.id, stop.signal)).toMatchObject({ reason: "interrupted" });
      if (ends) await machine.cancel(planned.id);
      await machine.resume(planned.id, {});
      const run = ends ? await machine.registry.run(planned.id) : await machine.compute(planned.id, never);
      expect(run).toMatchObject({ reason: "approval", instructions: ends ? 2 : 3 });
      expect(run).not.toHaveProperty("revising");
    }
  });
});

describe("a process that is killed while a program is revised", () => {
  it("at any of its calls leaves a program that waits, or is revised on", async () => {
    await playSampledDeaths(async (death) => {
      const lasting = lastingStorage();
      const planner = opened({ storage: lasting, model: scriptedModel(writer) });
      const planned = await compute(planner, await asking());
      const mortal = mortalStorage(lasting, death);
      const dying = opened({ storage: mortal, model: scriptedModel(writer) });
      await revised(dying, planned, "3 steps, please.").catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      const next = opened({ storage: lasting, model: scriptedModel(writer) });
      await next.sweep();
      const found = await next.registry.run(planned.id);
      if (found?.reason === "interrupted") {
        await next.resume(planned.id, {});
        await next.compute(planned.id, never);
      }
      const run = await next.registry.run(planned.id);
      expect(run, `${death.call}`).toMatchObject({ status: "waiting", reason: "approval" });
      expect(run?.instructions, `${death.call}`).toBe(found?.epoch === planned.epoch ? 2 : 3);
      if (run) await expectExactReplay(next, run);
      return mortal.calls();
    });
  });
});
