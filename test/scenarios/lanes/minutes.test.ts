/** The minutes of a run with lanes: what others have paid for is kept, and no lane is charged for a time without computation. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../../lambdas/handlers.ts";
import { takeStep } from "../../../lib/control/lanes/take-step.ts";
import { NotReady } from "../../../lib/core/errors.ts";
import type { Evaluator, Model } from "../../../lib/core/ports.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { obeyAtOnce, parts, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { nothingToCheck, type TestMachine } from "../../doubles/machines.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

/** What is noted beside a call moves no time. */
const stillClock = () => {
  const asleep = Promise.withResolvers<void>();
  return { ...fakeClock(), sleep: (_: number, signal?: AbortSignal) => Promise.race([asleep.promise, ended(signal)]) };
};
const ended = (signal?: AbortSignal) =>
  new Promise<void>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

const MINUTE_MS = 60_000;
const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };

/** A run with three lanes and five minutes, which has executed two instructions; lane 2 has finished the third. */
async function atJoin(evaluator: Evaluator) {
  const clock = stillClock();
  const script = scriptedModel(obeyAtOnce);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const model: Model = {
    async ask(request, signal, progress) {
      if (textOf(request).includes(": Part 3\n")) {
        asked.resolve();
        await answered.promise;
      }
      return script.ask(request, signal, progress);
    },
  };
  const machine = opened({ model, evaluator, clock });
  const { id: runId } = await machine.submit(await submissionOf(parts(4), 3, { budget: { minutes: 5 } }));
  const handlers = createHandlers(machine.world);
  const execute = (lane: number) => handlers.execute({ runId, epoch: 1, lane }, invocation);
  const present = () => machine.registry.run(runId);
  await handlers.plan({ runId, epoch: 1 }, invocation);
  await execute(1);
  await execute(2);
  const slow = execute(3);
  await asked.promise;
  await execute(1);
  return { machine, runId, clock, execute, present, slow, answer: answered.resolve };
}

async function expectKept({ machine, runId, execute, present, slow, answer }: Awaited<ReturnType<typeof atJoin>>) {
  expect(await execute(1)).toMatchObject({ next: "wait" });
  expect(await present()).toMatchObject({ ending: { reason: "minutes" } });
  answer();
  await slow;
  expect(await execute(1)).toMatchObject({ next: "stop" });
  expect(await present()).toMatchObject({ status: "partial", reason: "minutes", calls: 4 });
  expect((await machine.registry.instruction(runId, 4))?.ahead).toMatchObject({ state: "finished", lane: 3 });
  const events = await machine.registry.events(runId, { after: 0, limit: 1_000 });
  expect(events.filter(({ type }) => type === "written_off")).toEqual([]);
}

describe("the minutes of a run with lanes", () => {
  it("end it at a join when the calls of its lanes are answered", async () => {
    const joining = await atJoin(nothingToCheck);
    joining.clock.advance(6 * MINUTE_MS);
    await expectKept(joining);
  });

  it("end it where its evaluator is not ready when the calls of its lanes are answered", async () => {
    let isReady = true;
    const joining = await atJoin({
      async evaluate(request, signal) {
        if (!isReady && request.runId === joining.runId) throw new NotReady("starting", 10 * MINUTE_MS);
        return nothingToCheck.evaluate(request, signal);
      },
    });
    isReady = false;
    await expectKept(joining);
  });

  it("do not count for a lane while the run is stopped", async () => {
    const clock = stillClock();
    const machine = opened({ model: scriptedModel(obeyAtOnce), clock });
    const { id: runId } = await machine.submit(await submissionOf(parts(3), 2, { budget: { minutes: 5 } }));
    const { plan, execute } = createHandlers(machine.world);
    await plan({ runId, epoch: 1 }, invocation);
    await execute({ runId, epoch: 1, lane: 1 }, invocation);
    const taken = await takeThird(machine, runId);
    clock.advance(MINUTE_MS);
    await machine.registry.claimLane(taken.run, 2);
    await machine.sweep();
    clock.advance(24 * 60 * MINUTE_MS);
    const { epoch } = await machine.resume(runId, {});
    expect(await execute({ runId, epoch, lane: 2 }, invocation)).toMatchObject({ next: "execute" });
    const ahead = (await machine.registry.instruction(runId, 3))?.ahead;
    expect(ahead).toMatchObject({ state: "finished", lane: 2 });
    const lane = await machine.registry.lane(taken.run, 2);
    expect((lane?.activeMs ?? 0) - taken.lane.activeMs).toBe(MINUTE_MS);
  });
});

async function takeThird({ world, registry }: TestMachine, runId: string) {
  const [run, instruction] = await Promise.all([registry.run(runId), registry.instruction(runId, 3)]);
  const lane = run && instruction && (await takeStep(world, run, { lane: 2, instruction }));
  if (!lane) throw new Error("Lane 2 took nothing.");
  return { run, lane };
}
