/** Who has lost a run with lanes neither ends it nor takes anything from its lanes. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../../lambdas/handlers.ts";
import { endRun } from "../../../lib/control/lifecycle/ending.ts";
import { interrupt } from "../../../lib/control/lifecycle/resume-and-cancel.ts";
import { Fenced } from "../../../lib/core/errors.ts";
import type { Table } from "../../../lib/core/ports.ts";
import { fileStoreKeys } from "../../../lib/registry/keys.ts";
import { createRegistry } from "../../../lib/registry/registry.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { obey, parts, submissionOf } from "../../doubles/lane-programs.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

async function submitted() {
  const machine = opened({ model: scriptedModel(obey) });
  const { id } = await machine.submit(await submissionOf(parts(3), 2));
  return { machine, id };
}

describe("a zombie of a run with lanes", () => {
  it.each(["attempt", "epoch"] as const)("does not end the run that a later %s has", async (later) => {
    const { machine, id } = await submitted();
    const lost = await machine.registry.claim(id, 1);
    if (later === "epoch") await machine.registry.beginEpoch(lost, {});
    const own = await machine.registry.claim(id, later === "epoch" ? 2 : 1);
    const ended = endRun(machine.world, lost, { status: "failed", reason: "internal", detail: "A zombie ends it." });
    await expect(ended).rejects.toThrow(Fenced);
    expect(await machine.registry.run(id)).toEqual(own);
    expect(await machine.files.get(fileStoreKeys(id).report)).toBeUndefined();
  });

  it("that marks the run as interrupted leaves it alone once it is resumed", async () => {
    const { machine, id } = await submitted();
    const { registry, world } = machine;
    const resumedAtOnce: typeof registry.beginEpoch = async (...asked) => {
      const begun = await registry.beginEpoch(...asked);
      await machine.resume(id, {});
      return begun;
    };
    const run = await interrupt({ ...world, registry: { ...registry, beginEpoch: resumedAtOnce } }, id);
    expect(run).toMatchObject({ status: "planning", epoch: 3 });
    expect(run).toEqual(await registry.run(id));
  });
});

describe("a zombie of a lane", () => {
  it("writes nothing, also if it lost the lane right after it had taken its instruction", async () => {
    const storage = lastingStorage();
    const clock = fakeClock();
    const machine = opened({ model: scriptedModel(obey), storage, clock });
    const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };
    const { id: runId } = await machine.submit(await submissionOf(parts(3), 2));
    const { plan, execute } = createHandlers(machine.world);
    await plan({ runId, epoch: 1 }, invocation);
    await execute({ runId, epoch: 1, lane: 1 }, invocation);
    const { registry } = machine;
    const [run, instruction] = await Promise.all([registry.run(runId), registry.instruction(runId, 3)]);
    if (!run || !instruction) throw new Error("There is no run.");
    const claimedAtOnce: Table["transact"] = async (writes) => {
      const written = await storage.table.transact(writes);
      await registry.claimLane(run, 2);
      return written;
    };
    const overtaken = createRegistry({ table: { ...storage.table, transact: claimedAtOnce }, clock });
    const lost = await overtaken.takeStep(run, 2, instruction);
    if (!lost) throw new Error("The lane took nothing.");
    const own = await registry.lane(run, 2);
    expect(own?.attempt).toBe(lost.attempt + 1);
    await expect(registry.commit(lost, { run: { failures: 1 } })).rejects.toThrow(Fenced);
    expect(await registry.lane(run, 2)).toEqual(own);
  });
});
