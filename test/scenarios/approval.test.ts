/** A program that waits for a person: nothing moves it on but that person, and what is approved is what is executed. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { createSweep } from "../../lambdas/sweep.ts";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { replaceProgram } from "../../lib/control/lifecycle/approval.ts";
import { cancel } from "../../lib/control/lifecycle/resume-and-cancel.ts";
import { createRunCommands } from "../../lib/control/lifecycle/run-commands.ts";
import { programOf, versionOf } from "../../lib/control/program/stored-program.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Machine, Storage } from "../../lib/local/machine.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { laterClock } from "../doubles/hasty-clock.ts";
import { alwaysGreen, aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { programOf as parts, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();

const writer = () => scriptedModel(writerOf(3, (n) => [{ path: `f${n}.txt`, content: `text ${n}\n` }]));

function opened(given: Parameters<typeof aMachine>[0] = {}): TestMachine {
  const machine = aMachine({ model: writer(), evaluator: alwaysGreen, ...given });
  machines.push(machine);
  return machine;
}

const never = new AbortController().signal;
const asking = (over: Parameters<typeof aSubmission>[0] = {}) =>
  aSubmission({ ...over, options: { approve: "plan", ...over.options } });
const hashOf = async (machine: Machine, { id }: Run) => treeHash(await machine.registry.allFiles(id));
const standing = async (machine: Machine, { id }: Pick<Run, "id">): Promise<Run> => {
  const run = await machine.registry.run(id);
  if (!run) throw new Error("gone");
  return run;
};
const titles = ({ instructions }: Pick<Draft, "instructions">) => instructions.map(({ title }) => title);

const OTHER: Draft = {
  instructions: [
    { title: "Other 1", text: "Write other 1.", requirements: ["R1"] },
    { title: "Other 2", text: "Write other 2.", requirements: [] },
  ],
  requirements: [{ id: "R1", text: "Something else." }],
};

describe("a program that waits for approval", () => {
  it("is stored, and its run stands still: no time is due, and none is counted", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    expect(run).toMatchObject({ status: "waiting", reason: "approval", instructions: 3, pc: 1, epoch: 1 });
    expect(run.detail).toContain("Waiting for approval");
    for (const gone of ["dueAt", "activeShard", "markedAt", "waitUntil"]) expect(run).not.toHaveProperty(gone);
    expect(exitCodeOf(run)).toBe(9);
    const events = await machine.registry.events(run.id, { after: 0, limit: 100 });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["program", "waiting"]);
    expect(titles(await programOf(machine, run))).toEqual(["Part 1", "Part 2", "Part 3"]);
  });

  it("given by the user waits too, and no model is asked for it", async () => {
    const model = writer();
    const machine = opened({ model });
    const program = { instructions: parts(2), requirements: [] };
    expect(await compute(machine, await asking({ submission: { program } }))).toMatchObject({ reason: "approval" });
    expect(model.requests).toEqual([]);
  });

  it("is executed once it is approved, with the same files as without waiting", async () => {
    const free = opened();
    const expected = await compute(free, await aSubmission({}));
    const machine = opened();
    const run = await compute(machine, await asking());
    expect(await machine.approve(run.id)).toMatchObject({ status: "running", epoch: 2, approved: true });
    const done = await machine.compute(run.id, never);
    expect(done).toMatchObject({ status: "completed", turns: expected.turns, microUsd: expected.microUsd });
    expect(done).not.toHaveProperty("reason");
    expect(await hashOf(machine, done)).toBe(await hashOf(free, expected));
  });

  it("counts no minute of the waiting", async () => {
    const clock = laterClock();
    const machine = opened({ clock });
    const run = await compute(machine, await asking({ options: { budget: { minutes: 5 } } }));
    clock.advance(72 * 3_600_000);
    await machine.approve(run.id);
    const done = await machine.compute(run.id, never);
    expect(done.status).toBe("completed");
    expect(done.activeMs).toBeLessThan(300_000);
  });

  it("is approved once: a second time, and that of a run that does not wait, is refused with what to do", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    await machine.approve(run.id);
    const again = { exitCode: 2, remedy: { command: "watch", args: [run.id] } };
    await expect(machine.approve(run.id)).rejects.toMatchObject({
      ...again,
      message: expect.stringContaining("was approved already"),
    });
    await expect(machine.reject(run.id)).rejects.toThrow("was approved already");
    await machine.compute(run.id, never);
    await expect(machine.approve(run.id)).rejects.toMatchObject({
      exitCode: 2,
      remedy: { command: "status", args: [run.id] },
    });
    const other = await compute(opened(), await aSubmission({}));
    await expect(machines[1]?.approve(other.id)).rejects.toThrow("does not wait for approval: it is completed");
  });

  it("is not resumed: what it waits for is named", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    await expect(machine.resume(run.id, {})).rejects.toMatchObject({
      message: expect.stringContaining("waits for approval of its program"),
      remedy: { command: "approve", args: [run.id] },
    });
  });

  it("ends at once where its run is cancelled, also where another process holds the run's lease: it is not computed", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    expect(await cancel(machine.world, run.id, true)).toMatchObject({ status: "cancelled", reason: "cancelled" });
  });

  it("ends as cancelled where its run is cancelled, and as rejected where it is rejected", async () => {
    const machine = opened();
    const [one, two] = [await compute(machine, await asking()), await compute(machine, await asking())];
    expect(await machine.cancel(one.id)).toMatchObject({ status: "cancelled", reason: "cancelled" });
    expect(await machine.reject(two.id)).toMatchObject({ status: "cancelled", reason: "rejected" });
    await expect(machine.approve(two.id)).rejects.toThrow("does not wait for approval: it is cancelled");
    expect(await hashOf(machine, two)).toBe(treeHash([]));
  });

  it.each(["cancel", "reject"] as const)(
    "waits again where it is resumed after a %s, and is never executed unasked",
    async (end) => {
      const machine = opened();
      const run = await compute(machine, await asking());
      await machine[end](run.id);
      expect(await machine.resume(run.id, {})).toMatchObject({ status: "waiting", reason: "approval", epoch: 2 });
      expect(await machine.compute(run.id, never)).toMatchObject({ status: "waiting", reason: "approval" });
      await machine.approve(run.id);
      expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed" });
    },
  );

  it("can be deleted, and stays as it is when other commands look for what died", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    await machine.sweep();
    expect(await standing(machine, run)).toEqual(run);
    expect(await machine.remove(run.id)).toBe("deleted");
  });

  it("stays as it is if the computing process is stopped at that moment", async () => {
    const stop = new AbortController();
    const machine = opened();
    const { id } = await machine.submit(await asking());
    await machine.compute(id, never);
    stop.abort();
    expect(await machine.compute(id, stop.signal)).toMatchObject({ status: "waiting", reason: "approval", epoch: 1 });
  });
});

describe("what comes late or twice", () => {
  const invocation = { remainingMs: () => 800_000, signal: never };

  it("does not move it on: neither a second Plan, nor an Execute of before, nor a failure that is recorded", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    const handlers = createHandlers(machine.world);
    const input = { runId: run.id, epoch: 1 };
    expect(await handlers.plan(input, invocation)).toEqual({ next: "stop" });
    expect(await handlers.execute(input, invocation)).toEqual({ next: "stop" });
    expect(await handlers.recordFailure({ ...input, error: "States.Timeout", cause: "" })).toEqual({ next: "stop" });
    expect(await standing(machine, run)).toEqual(run);
  });

  it("does not move an interrupted run on either", async () => {
    const machine = opened();
    const { id } = await machine.submit(await aSubmission({}));
    await machine.registry.claim(id, 1);
    await machine.sweep();
    const run = await standing(machine, { id });
    await createHandlers(machine.world).plan({ runId: id, epoch: run.epoch }, invocation);
    expect(await standing(machine, run)).toEqual(run);
  });

  it("is not seen by the sweeper for a day, and nothing is started for it", async () => {
    const clock = laterClock();
    const machine = opened({ clock });
    const run = await compute(machine, await asking());
    expect(run).toMatchObject({ status: "waiting", reason: "approval" });
    const started: string[] = [];
    const sweep = createSweep({
      world: machine.world,
      executions: { start: async (id) => void started.push(id), find: async () => "ended" },
      onFailure: (_, error) => {
        throw error;
      },
    });
    for (let hour = 0; hour < 24; hour += 1) {
      clock.advance(3_600_000);
      expect(await sweep(invocation)).toEqual({ started: 0, extended: 0, recorded: 0, deleted: 0, failed: 0 });
    }
    expect(await standing(machine, run)).toEqual(run);
    expect(started).toEqual([]);
  });

  it("starts one execution for an approval, which the sweeper starts if no one did", async () => {
    const clock = laterClock();
    const machine = opened({ clock });
    const run = await compute(machine, await asking());
    const started: string[] = [];
    const executions = { start: async (id: string, epoch: number) => void started.push(`${id}-${epoch}`) };
    const dead = createRunCommands({
      world: machine.world,
      executions: { start: () => Promise.reject(new Error("killed")) },
    });
    await expect(dead.approve(run.id)).rejects.toThrow("killed");
    clock.advance(3_600_000);
    const sweep = createSweep({
      world: machine.world,
      executions: { ...executions, find: async () => "absent" },
      onFailure: () => {},
    });
    expect(await sweep(invocation)).toMatchObject({ started: 1 });
    expect(started).toEqual([`${run.id}-2`]);
  });
});

describe("another program in its place", () => {
  const isAny = () => true;

  it("is shown from then on, executed once it is approved, and nothing of the first is left", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    const replaced = await replaceProgram(machine, run.id, { program: OTHER, was: isAny });
    expect(replaced).toMatchObject({ status: "waiting", reason: "approval", instructions: 2 });
    expect(await programOf(machine, await standing(machine, run))).toEqual(OTHER);
    await machine.approve(run.id);
    const done = await machine.compute(run.id, never);
    expect(done).toMatchObject({ status: "completed", instructions: 2 });
    expect(done).not.toHaveProperty("replacement");
    expect(titles({ instructions: await machine.registry.instructions(run.id) })).toEqual(["Other 1", "Other 2"]);
    expect(await machine.registry.requirements(run.id)).toEqual(OTHER.requirements);
    expect((await machine.registry.allFiles(run.id)).map(({ path }) => path)).toEqual(["f1.txt", "f2.txt"]);
  });

  it("can come with the approval, and can be longer", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    const program = { instructions: parts(5), requirements: [] };
    await machine.approve(run.id, program);
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "completed", instructions: 5, files: 5 });
  });

  it("that is the same is none", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    const approved = await machine.approve(run.id, await programOf(machine, run));
    expect(approved).not.toHaveProperty("replacement");
  });

  it("serves the requirements of the first where it has none, and unknown ones are refused", async () => {
    const machine = opened();
    const submission = await asking({ submission: { requirements: [{ id: "R1", text: "One." }] } });
    const run = await compute(machine, submission);
    const served = (id: string): Draft => ({
      instructions: [{ title: "One", text: "One.", requirements: [id] }],
      requirements: [],
    });
    await replaceProgram(machine, run.id, { program: served("R1"), was: isAny });
    expect((await programOf(machine, await standing(machine, run))).requirements).toEqual([{ id: "R1", text: "One." }]);
    await expect(machine.approve(run.id, served("R7"))).rejects.toThrow("requirements that do not exist: R7");
  });

  it("is taken from one of two concurrent changes, and the other is refused", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    const was = (version: string) => version === seen;
    const seen = versionOf(await programOf(machine, run));
    const third: Draft = { ...OTHER, instructions: OTHER.instructions.slice(0, 1) };
    const both = await Promise.all([
      replaceProgram(machine, run.id, { program: OTHER, was }),
      replaceProgram(machine, run.id, { program: third, was }),
    ]);
    expect(both.filter((each) => each === "changed")).toHaveLength(1);
  });

  it("is not executed where it is not what was approved any more", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    const { replacement = "" } = await machine.approve(run.id, OTHER);
    const { instructions } = OTHER;
    const other = JSON.stringify({ instructions, requirements: [] });
    await machine.files.put(fileStoreKeys(run.id).program(replacement), new TextEncoder().encode(other));
    const ended = await machine.compute(run.id, never);
    expect(ended).toMatchObject({ status: "failed", packed: 0 });
    expect(ended.detail).toMatch(/The stored program of run \w+ is damaged: it is not what was stored/);
  });

  it("is refused once the run is approved", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    await machine.approve(run.id);
    await expect(replaceProgram(machine, run.id, { program: OTHER, was: isAny })).rejects.toThrow("approved already");
  });

  it("is replayed: the same tree, and no request differs", async () => {
    const machine = opened();
    const run = await compute(machine, await asking());
    await machine.approve(run.id, OTHER);
    await machine.compute(run.id, never);
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed.treeHash).toBe(replayed.expected);
    expect(replayed.turns).toBe((await standing(machine, run)).turns);
  });

  it("was not needed, and the run is replayed all the same; and so is one that still waits", async () => {
    const machine = opened();
    const program = { instructions: parts(2), requirements: [] };
    const given = await compute(machine, await asking({ submission: { program } }));
    const waiting = await machine.replay(given.id);
    expect(waiting).toMatchObject({ turns: 0, treeHash: waiting.expected });
    await machine.approve(given.id);
    const done = await machine.compute(given.id, never);
    const replayed = await machine.replay(given.id);
    expect(replayed).toMatchObject({ turns: done.turns, treeHash: replayed.expected });
    expect(replayed.difference).toBeUndefined();
  });
});

describe("a process that is killed while it approves another program", () => {
  /** The whole life of an approval; then the next process goes on with what is there. */
  async function dyingAt(call: number, when: "before" | "after"): Promise<{ isDead: boolean; calls: number }> {
    const lasting: Storage = lastingStorage();
    const planner = opened({ storage: lasting });
    const run = await compute(planner, await asking());
    const before = await programOf(planner, run);
    const mortal = mortalStorage(lasting, { call, when });
    const dying = opened({ storage: mortal });
    await dying
      .approve(run.id, OTHER)
      .then(() => dying.compute(run.id, never))
      .catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
    const next = opened({ storage: lasting });
    const found = await standing(next, run);
    const shown = await programOf(next, found);
    expect([before, OTHER]).toContainEqual(shown);
    if (found.approved) expect(shown).toEqual(OTHER);
    await next.sweep();
    const swept = await standing(next, run);
    if (!swept.approved) await next.approve(run.id, OTHER);
    else if (swept.status === "waiting") await next.resume(run.id, {});
    const done = swept.status === "completed" ? swept : await next.compute(run.id, never);
    expect(done).toMatchObject({ status: "completed", instructions: 2 });
    expect(titles({ instructions: await next.registry.instructions(run.id) })).toEqual(["Other 1", "Other 2"]);
    expect(await next.registry.requirements(run.id)).toEqual(OTHER.requirements);
    return { isDead: mortal.isDead(), calls: mortal.calls() };
  }

  it("leaves the old program or the new one, at every call, and the new one is executed at last", async () => {
    const { calls } = await dyingAt(Number.POSITIVE_INFINITY, "before");
    expect(calls).toBeGreaterThan(10);
    for (const call of sampledCalls(1, calls)) {
      expect((await dyingAt(call, "before")).isDead).toBe(true);
      expect((await dyingAt(call, "after")).isDead).toBe(true);
    }
  });
});

describe("a process that is killed while it", () => {
  it.each(["rejects a program", "cancels a run that waits"])(
    "%s leaves a run that waits on, or one that is ended",
    async (what) => {
      const rejects = what.startsWith("rejects");
      for (let call = 1, died = true; died; call += 1) {
        for (const when of ["before", "after"] as const) {
          const lasting = lastingStorage();
          const planner = opened({ storage: lasting });
          const run = await compute(planner, await asking());
          const mortal = mortalStorage(lasting, { call, when });
          const dying = opened({ storage: mortal });
          await (rejects ? dying.reject(run.id) : dying.cancel(run.id)).catch((error: unknown) => {
            if (!mortal.isDead()) throw error;
          });
          died = mortal.isDead();
          const left = await standing(planner, run);
          // A run that is being ended is not approved.
          if (left.cancelRequested) await expect(planner.approve(run.id)).rejects.toThrow(/being cancelled|is running/);
          if (left.cancelRequested) expect(left).toHaveProperty("dueAt");
          const next = opened({ storage: lasting });
          await next.sweep();
          const found = await standing(next, run);
          if (left.status === "waiting" && !left.cancelRequested) expect(found).toEqual(run);
          else expect(found.status).toBe("cancelled");
        }
      }
    },
  );
});
