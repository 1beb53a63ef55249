/** How runs with lanes end: nothing stays reserved, nothing that was paid for is lost, every failed step is named. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../lib/core/errors.ts";
import type { Model, ModelRequest } from "../../../lib/core/ports.ts";
import { poolKey } from "../../../lib/registry/keys.ts";
import { obey, obeyAtOnce, parts, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { compute, type TestMachine } from "../../doubles/machines.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { type Said, scriptedModel } from "../../doubles/scripted-model.ts";

const { opened: open } = openedMachines();
const opened: typeof open = (parts) => open({ clock: nappingClock, ...parts });

/** What the pool has committed and what was spent are the same when nothing is in flight. */
async function expectSettled(machine: TestMachine, storage: ReturnType<typeof lastingStorage>, runId: string) {
  const run = await machine.registry.run(runId);
  const pool = await storage.table.get(poolKey(runId));
  if (!run) throw new Error(`The run ${runId} is gone.`);
  expect(pool?.committedMicroUsd).toBe(run.microUsd);
  expect(pool?.committedTokens).toBe(run.inputTokens + run.outputTokens);
  expect(await machine.registry.callsInFlight(run)).toBe(0);
}

const titleIn = (request: ModelRequest): string => /^Instruction \d+ of \d+: (.*)$/m.exec(textOf(request))?.[1] ?? "";

const refusing =
  (titles: string[]) =>
  (request: ModelRequest): Said => {
    if (titles.includes(titleIn(request)))
      throw new ModelError(`no answer to ${titleIn(request)}`, { kind: "refused", perhapsPaid: false });
    return obeyAtOnce(request);
  };

describe("the end of a run with lanes", () => {
  it("comes when all other steps are done, names every step that failed, and resume makes one call for each", async () => {
    const storage = lastingStorage();
    const failing = scriptedModel(refusing(["Part 29", "Part 69"]));
    const healed = scriptedModel(obeyAtOnce);
    let model: Model = failing;
    const machine = opened({ modelFor: () => model, storage });
    const run = await compute(machine, await submissionOf(parts(102), 4));
    expect(run).toMatchObject({ status: "failed", reason: "provider" });
    expect(run.detail).toContain("no answer to Part 29");
    expect(run.detail).toContain("no answer to Part 69");
    expect(run.calls).toBe(100);
    await expectSettled(machine, storage, run.id);
    model = healed;
    await machine.resume(run.id, {});
    const ended = await machine.compute(run.id, new AbortController().signal);
    expect(ended.status).toBe("completed");
    expect(healed.requests.map(titleIn).toSorted()).toEqual(["Part 29", "Part 69"]);
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("keeps the finished turns of a lane at a ceiling, and goes on with them when that is raised", async () => {
    const storage = lastingStorage();
    const machine = opened({ model: scriptedModel(obey), storage });
    const run = await compute(machine, await submissionOf(parts(8), 8, { budget: { turns: 9 } }));
    expect(run).toMatchObject({ status: "partial", reason: "turns", turns: 9 });
    await expectSettled(machine, storage, run.id);
    await machine.resume(run.id, { budget: { turns: 100 } });
    const ended = await machine.compute(run.id, new AbortController().signal);
    expect(ended).toMatchObject({ status: "completed", turns: 16 });
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    expect(events.filter(({ type }) => type === "dropped")).toEqual([]);
  });

  it("leaves nothing reserved when it is cancelled with calls in flight", async () => {
    const storage = lastingStorage();
    const asked: string[] = [];
    let cancelled: Promise<unknown> | undefined;
    const script = scriptedModel(obeyAtOnce);
    const model: Model = {
      async ask(request, signal, progress) {
        asked.push(titleIn(request));
        if (asked.length === 4) cancelled ??= machine.cancel(runId);
        await cancelled;
        return script.ask(request, signal, progress);
      },
    };
    const machine = opened({ model, storage });
    const { id: runId } = await machine.submit(await submissionOf(parts(6), 3));
    const run = await machine.compute(runId, new AbortController().signal);
    expect(run.status).toBe("cancelled");
    await expectSettled(machine, storage, run.id);
  });

  it("leaves nothing reserved when its process is stopped with calls in flight", async () => {
    const storage = lastingStorage();
    const stop = new AbortController();
    const script = scriptedModel(obeyAtOnce);
    let asked = 0;
    const model: Model = {
      async ask(request, signal, progress) {
        asked += 1;
        if (asked === 4) stop.abort(new Error("stopped"));
        return script.ask(request, signal, progress);
      },
    };
    const machine = opened({ model, storage });
    const { id } = await machine.submit(await submissionOf(parts(6), 3));
    await machine.compute(id, stop.signal).catch(() => undefined);
    expect(await machine.registry.run(id)).toMatchObject({ status: "waiting", reason: "interrupted" });
    await expectSettled(machine, storage, id);
    await machine.resume(id, {});
    expect((await machine.compute(id, new AbortController().signal)).status).toBe("completed");
    await expectSettled(machine, storage, id);
    expect((await machine.replay(id)).difference).toBeUndefined();
  });
});
