import { afterEach, describe, expect, it } from "vitest";
import { cancel, resume } from "../lib/control/lifecycle/resume-and-cancel.ts";
import { submit } from "../lib/control/lifecycle/submit.ts";
import type { World } from "../lib/control/world.ts";
import type { ExecutionState } from "../lib/core/run/sweep.ts";
import { readProjectFont } from "../lib/files/project-fonts.ts";
import { createMemoryFiles } from "../lib/host/memory-files.ts";
import { openSqliteTable } from "../lib/host/sqlite-table.ts";
import { createRegistry } from "../lib/registry/registry.ts";
import { fakeClock } from "../test/doubles/fake-clock.ts";
import { aSubmission, nothingToCheck } from "../test/doubles/machines.ts";
import { aRun } from "../test/doubles/runs.ts";
import { guardStorage, inRole } from "../test/roles/roles.ts";
import { createSweep } from "./sweep.ts";

const HOUR = 3_600_000;
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const table of opened.splice(0)) table.close();
});

/** A registry with runs in their first epoch, and executions that are as the test says. */
async function aSweep(states: Record<string, ExecutionState | Error>, keepRunsDays?: number) {
  const clock = fakeClock();
  const { table, files } = guardStorage({ table: openSqliteTable(":memory:"), files: createMemoryFiles() });
  opened.push(table);
  const registry = createRegistry({ table, clock });
  const model = () => Promise.reject(new Error("no model is asked"));
  const world: World = {
    registry,
    files,
    clock,
    random: () => 0.5,
    model,
    evaluator: nothingToCheck,
    readFont: readProjectFont,
  };
  for (const id of Object.keys(states)) {
    const created = await registry.create(aRun({ id }));
    if ("run" in created) await registry.beginEpoch(created.run, {});
  }
  const started: string[] = [];
  const failures: string[] = [];
  const sweep = createSweep({
    world,
    keepRunsDays,
    executions: {
      start: async (id, epoch) => void started.push(`${id}-${epoch}`),
      find: async (id) => {
        const state = states[id] ?? "absent";
        if (state instanceof Error) throw state;
        return state;
      },
    },
    onFailure: (id, error) => failures.push(`${id}: ${String(error)}`),
  });
  const call = (remainingMs = () => 60_000) =>
    inRole("sweep", sweep)({ remainingMs, signal: new AbortController().signal });
  /** Submits as the API does, in a process that ends right after the run was created. */
  const submitAndDie = async (over: Parameters<typeof aSubmission>[0] = {}): Promise<string> => {
    const dying = { ...registry, beginEpoch: () => Promise.reject(new Error("killed")) };
    const submission = await aSubmission(over);
    const id = submission.id ?? "A";
    await expect(submit({ ...world, registry: dying }, { ...submission, id, owner: "local" })).rejects.toThrow(
      "killed",
    );
    expect(await registry.run(id)).toMatchObject({ status: "queued", epoch: 0 });
    return id;
  };
  return { clock, registry, world, started, failures, call, submitAndDie };
}

describe("the sweeper", () => {
  it("leaves runs that are written to in time", async () => {
    const { call, started } = await aSweep({ A: "absent", B: "failed" });
    expect(await call()).toEqual({ started: 0, extended: 0, recorded: 0, deleted: 0, failed: 0 });
    expect(started).toEqual([]);
  });

  it("starts an execution that was never started, and does not look again before it had its time", async () => {
    const { call, clock, started } = await aSweep({ A: "absent" });
    clock.advance(HOUR);
    expect(await call()).toMatchObject({ started: 1 });
    expect(started).toEqual(["A-1"]);
    expect(await call()).toMatchObject({ started: 0 });
  });

  describe("where a process died between creating a run and its first epoch", () => {
    it("begins that epoch and starts its execution, once it is overdue", async () => {
      const { call, clock, registry, started, submitAndDie } = await aSweep({});
      const id = await submitAndDie();
      expect(await call()).toMatchObject({ started: 0 });
      clock.advance(HOUR);
      expect(await call()).toMatchObject({ started: 1, failed: 0 });
      expect(started).toEqual([`${id}-1`]);
      expect(await registry.run(id)).toMatchObject({ status: "queued", epoch: 1 });
      expect(await call()).toMatchObject({ started: 0 });
    });

    it("lets a submission that comes again find the run begun, and starts nothing twice", async () => {
      const idempotency = { caller: "local", key: "k", bodyHash: "h" };
      const { call, clock, world, submitAndDie } = await aSweep({});
      const id = await submitAndDie({ submission: { idempotency } });
      clock.advance(HOUR);
      await call();
      const again = await submit(world, { ...(await aSubmission({ submission: { idempotency } })), owner: "local" });
      expect(again).toMatchObject({ isNew: false, run: { id, epoch: 1 } });
    });

    it("begins one that starts from files too: they were stored before the run was there", async () => {
      const { call, clock, registry, started, submitAndDie } = await aSweep({});
      const id = await submitAndDie({
        options: { from: true },
        submission: { from: new Map([["a", new Uint8Array(1)]]) },
      });
      clock.advance(HOUR);
      expect(await call()).toMatchObject({ recorded: 0, started: 1, failed: 0 });
      expect(await registry.run(id)).toMatchObject({ status: "queued", epoch: 1, toLoad: 1 });
      expect(started).toEqual([`${id}-1`]);
    });

    it("begins a cancelled one too: its execution ends it", async () => {
      const { call, clock, registry, world, started, submitAndDie } = await aSweep({});
      const id = await submitAndDie();
      await cancel(world, id, true);
      clock.advance(HOUR);
      expect(await call()).toMatchObject({ failed: 0 });
      expect(started).toEqual([`${id}-1`]);
      expect(await registry.run(id)).toMatchObject({ cancelRequested: true, epoch: 1 });
    });
  });

  it("gives more time to what still runs, without touching its attempt", async () => {
    const { call, clock, registry } = await aSweep({ A: "running" });
    const before = await registry.run("A");
    clock.advance(HOUR);
    expect(await call()).toMatchObject({ extended: 1 });
    const after = await registry.run("A");
    expect(Date.parse(after?.dueAt ?? "")).toBeGreaterThan(clock.now());
    expect({ ...after, dueAt: "", updatedAt: "" }).toEqual({ ...before, dueAt: "", updatedAt: "" });
  });

  it("records the end of a run whose execution failed without a word", async () => {
    const { call, clock, registry } = await aSweep({ A: "failed" });
    clock.advance(HOUR);
    expect(await call()).toMatchObject({ recorded: 1 });
    const run = await registry.run("A");
    expect(run).toMatchObject({ status: "failed", reason: "internal" });
    expect(run?.detail).toMatch(/^L2mac\.ExecutionEnded: .*without recording why/);
    expect(run?.dueAt).toBe(run?.endedAt);
    expect(await call()).toMatchObject({ recorded: 0 });
  });

  it("begins the next epoch of a run whose execution was stopped by an attempt that lost it, but not for ever", async () => {
    const { call, clock, registry, started } = await aSweep({ A: "ended" });
    for (const epoch of [2, 3, 4]) {
      clock.advance(HOUR);
      expect(await call()).toMatchObject({ started: 1, recorded: 0 });
      expect(await registry.run("A")).toMatchObject({ epoch, status: "queued" });
    }
    expect(started).toEqual(["A-2", "A-3", "A-4"]);
    clock.advance(HOUR);
    expect(await call()).toMatchObject({ started: 0, recorded: 1 });
    expect(await registry.run("A")).toMatchObject({ status: "failed", reason: "internal" });
  });

  it("repairs the others where one cannot be repaired, and tries that one again next time", async () => {
    const { call, clock, failures } = await aSweep({ A: new Error("throttled"), B: "absent" });
    clock.advance(HOUR);
    expect(await call()).toMatchObject({ started: 1, failed: 1 });
    expect(failures).toEqual(["A: Error: throttled"]);
    expect(await call()).toMatchObject({ started: 0, failed: 1 });
  });

  it("takes those that wait longest first, and stops while there is time to finish", async () => {
    const { call, clock, started } = await aSweep({ A: "absent", B: "absent" });
    clock.advance(HOUR);
    let left = 20_000;
    const swept = await call(() => {
      left -= 8_000;
      return left;
    });
    expect(swept).toMatchObject({ started: 1 });
    expect(started).toEqual(["A-1"]);
  });

  describe("of runs that ended", () => {
    const DAY = 24 * HOUR;

    it("removes those that have been kept for long enough, with their files, and no others", async () => {
      const { call, clock, registry, world } = await aSweep({ A: "failed", B: "running" }, 30);
      clock.advance(HOUR);
      await call();
      expect(await registry.run("A")).toMatchObject({ status: "failed" });
      await world.files.put("runs/A/task.json", new Uint8Array(1));
      await world.files.put("runs/B/task.json", new Uint8Array(1));
      clock.advance(29 * DAY);
      expect(await call()).toMatchObject({ deleted: 0 });
      clock.advance(DAY);
      expect(await call()).toMatchObject({ deleted: 1, failed: 0 });
      expect(await registry.stored("A")).toBeUndefined();
      expect(await world.files.get("runs/A/task.json")).toBeUndefined();
      expect(await registry.run("B")).toBeDefined();
      expect(await world.files.get("runs/B/task.json")).toBeDefined();
    });

    it("keeps all where no number of days was said", async () => {
      const { call, clock, registry } = await aSweep({ A: "failed" });
      clock.advance(HOUR);
      await call();
      clock.advance(10_000 * DAY);
      expect(await call()).toMatchObject({ deleted: 0 });
      expect(await registry.run("A")).toBeDefined();
    });

    it("keeps one that somebody resumed", async () => {
      const { call, clock, registry, world } = await aSweep({ A: "failed" }, 30);
      clock.advance(HOUR);
      await call();
      clock.advance(31 * DAY);
      await resume(world, "A", {});
      expect(await call()).toMatchObject({ deleted: 0 });
      expect(await registry.run("A")).toMatchObject({ epoch: 2 });
    });
  });

  it("finishes abandoned deletions, and reports those that it could not finish", async () => {
    const { call, clock, registry, world, failures } = await aSweep({ A: "running", B: "running" });
    for (const id of ["A", "B"]) {
      const run = await registry.run(id);
      await (run && registry.beginDeletion(run));
      await world.files.put(`runs/${id}/task.json`, new Uint8Array(1));
    }
    expect(await call()).toMatchObject({ deleted: 0 });
    clock.advance(HOUR);
    const { removeAll } = world.files;
    world.files.removeAll = async (prefix) => {
      if (prefix === "runs/A/") throw new Error("throttled");
      return removeAll(prefix);
    };
    expect(await call()).toMatchObject({ deleted: 1, failed: 1 });
    expect(failures).toEqual(["A: Error: throttled"]);
    world.files.removeAll = removeAll;
    expect(await call()).toMatchObject({ deleted: 1, failed: 0 });
    expect(await registry.stored("A")).toBeUndefined();
  });
});
