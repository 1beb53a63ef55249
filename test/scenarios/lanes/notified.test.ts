/** What a webhook is notified of where a run has lanes: of the run, and of what all of them have spent. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../../lambdas/handlers.ts";
import { haltLane } from "../../../lib/control/lanes/halt-lane.ts";
import { takeStep } from "../../../lib/control/lanes/take-step.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import { createRegistry } from "../../../lib/registry/registry.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { obeyAtOnce, parts, submissionOf } from "../../doubles/lane-programs.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();
const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };

/** Lane 1 has the first instruction done; lane 2 has taken the third. Nothing of it is sent: it waits in the outbox. */
async function withLanes() {
  const clock = fakeClock();
  const storage = lastingStorage();
  const machine = opened({ model: scriptedModel(obeyAtOnce), clock, storage });
  const registry = createRegistry({ table: storage.table, clock, notifies: true });
  const { id: runId } = await machine.submit(await submissionOf(parts(4), 2, { budget: { tokens: 10_000 } }));
  const { plan, execute } = createHandlers(machine.world);
  await plan({ runId, epoch: 1 }, invocation);
  await execute({ runId, epoch: 1, lane: 1 }, invocation);
  const [run, instruction] = await Promise.all([registry.run(runId), registry.instruction(runId, 3)]);
  const lane = run && instruction && (await takeStep(machine.world, run, { lane: 2, instruction }));
  if (!lane) throw new Error("Lane 2 took nothing.");
  const due = async () => {
    const found = await registry.dueNotifications({ upTo: new Date(clock.now()).toISOString(), limit: 10 });
    return found.map(({ notification: { type, ceiling } }) => (ceiling ? [type, ceiling.of, ceiling.spent] : [type]));
  };
  const spend = (of: Run, inputTokens: number) =>
    registry.commit(of, { run: { inputTokens: of.inputTokens + inputTokens } });
  return { registry, runId, run, lane, due, spend };
}

describe("the notifications of a run with lanes", () => {
  it("are of its end, and not of that of a lane", async () => {
    const { registry, runId, run, lane, due } = await withLanes();
    await haltLane({ registry }, lane, { status: "failed", reason: "provider", detail: "no answer" });
    expect(await due()).toEqual([]);
    await registry.commit(await registry.claim(runId, run.epoch), { run: { status: "failed" } });
    expect(await due()).toEqual([["failed"]]);
  });

  it("have one for a ceiling that its lanes reach together, and one for a higher ceiling", async () => {
    const { registry, runId, run, lane, due, spend } = await withLanes();
    const { inputTokens, outputTokens } = run;
    const before = inputTokens + outputTokens;
    let own = await spend(await registry.claim(runId, run.epoch), 4_000);
    await spend(lane, 4_000);
    expect(await due()).toEqual([]);
    own = await registry.claim(runId, run.epoch);
    const first = ["ceiling", "tokens", before + 8_000];
    expect(await due()).toEqual([first]);
    own = await spend(await registry.claim(runId, run.epoch), 100);
    expect(await due()).toEqual([first]);
    const budget = { tokens: 12_000 };
    await registry.change(own, { options: { ...own.options, budget } }, [
      { type: "notice", text: "It may take more." },
    ]);
    expect(await due()).toEqual([first]);
    await spend(await registry.claim(runId, run.epoch), 500);
    expect(await due()).toEqual([first, ["ceiling", "tokens", before + 8_600]]);
  });
});
