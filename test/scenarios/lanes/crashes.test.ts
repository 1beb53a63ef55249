/** Lanes that crash, or are not heard of: the run does not wait for them for ever, and does not pay for them for ever. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../../lambdas/handlers.ts";
import { ModelError, NotReady } from "../../../lib/core/errors.ts";
import type { Evaluator, ModelRequest } from "../../../lib/core/ports.ts";
import type { RunOptions } from "../../../lib/core/run/option-forms.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { obeyAtOnce, parts, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { nothingToCheck } from "../../doubles/machines.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { type Said, scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

const MINUTE_MS = 60_000;
const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };

/** A run whose first instruction is done: the second is its own, and lane 2 takes the third. */
async function begun(parts_: {
  script?: (request: ModelRequest) => Said;
  evaluator?: Evaluator;
  options?: Partial<RunOptions>;
}) {
  const { script = obeyAtOnce, evaluator = nothingToCheck, options = {} } = parts_;
  const clock = fakeClock();
  const model = scriptedModel(script);
  const machine = opened({ model, evaluator, clock });
  const { id: runId } = await machine.submit(await submissionOf(parts(4), 2, options));
  const handlers = createHandlers(machine.world);
  await handlers.plan({ runId, epoch: 1 }, invocation);
  const execute = async (lane: number, idle = 0) => {
    const { epoch } = await present();
    return handlers.execute({ runId, epoch, lane, idle }, invocation);
  };
  const present = async () => {
    const run = await machine.registry.run(runId);
    if (!run) throw new Error("The run is gone.");
    return run;
  };
  expect(await execute(1)).toMatchObject({ next: "execute" });
  const aheadOf = async (number: number) => (await machine.registry.instruction(runId, number))?.ahead;
  return { machine, model, clock, execute, present, aheadOf };
}

const crashing =
  (title: string) =>
  (request: ModelRequest): Said => {
    if (textOf(request).includes(`: ${title}\n`)) throw new Error("out of memory");
    return obeyAtOnce(request);
  };

describe("a lane that crashes", () => {
  it.each(["the same epoch", "later epochs"])(
    "each time in %s gives its instruction up after three times",
    async (when) => {
      const { machine, execute, present, aheadOf } = await begun({ script: crashing("Part 2") });
      for (let crash = 1; crash <= 3; crash += 1) {
        await expect(execute(2)).rejects.toThrow("out of memory");
        if (when === "later epochs") await machine.registry.beginEpoch(await present(), {});
      }
      expect(await execute(2)).toMatchObject({ next: "execute" });
      expect(await aheadOf(3)).toMatchObject({ state: "dropped", why: expect.stringContaining("3 times") });
      expect(await aheadOf(4)).toMatchObject({ state: "finished", lane: 2 });
      await execute(1);
      // The run executes it itself, and fails as it does without lanes.
      await expect(execute(1)).rejects.toThrow("out of memory");
    },
  );

  it("gets as many tries again when the run is resumed", async () => {
    const { machine, clock, execute, present, aheadOf } = await begun({ script: crashing("Part 2") });
    for (let crash = 1; crash <= 3; crash += 1) await expect(execute(2)).rejects.toThrow("out of memory");
    const { id } = await present();
    await machine.sweep();
    clock.advance(24 * 60 * MINUTE_MS);
    await machine.resume(id, {});
    // Lane 1 may come to the instruction before lane 2 has looked.
    await execute(1);
    expect(await execute(1)).toMatchObject({ next: "wait" });
    await expect(execute(2)).rejects.toThrow("out of memory");
    expect(await aheadOf(3)).toMatchObject({ state: "taken" });
  });

  it("is not waited for longer than an invocation takes when the run ends", async () => {
    const script = (request: ModelRequest): Said => {
      if (textOf(request).includes(": Part 1\n"))
        throw new ModelError("no answer", { kind: "refused", perhapsPaid: false });
      return crashing("Part 2")(request);
    };
    const { clock, execute, present, aheadOf } = await begun({ script });
    await expect(execute(2)).rejects.toThrow("out of memory");
    expect(await execute(1)).toMatchObject({ next: "wait" });
    clock.advance(10 * MINUTE_MS);
    expect(await execute(1)).toMatchObject({ next: "wait" });
    clock.advance(10 * MINUTE_MS);
    expect(await execute(1)).toMatchObject({ next: "stop" });
    expect(await present()).toMatchObject({ status: "failed", reason: "provider" });
    expect(await aheadOf(3)).toMatchObject({ state: "taken" });
  });

  it("does not make the run wait beyond its minutes", async () => {
    const { clock, execute, present } = await begun({
      script: crashing("Part 2"),
      options: { budget: { minutes: 5 } },
    });
    await expect(execute(2)).rejects.toThrow("out of memory");
    await execute(1);
    expect(await execute(1)).toMatchObject({ next: "wait" });
    clock.advance(6 * MINUTE_MS);
    expect(await execute(1)).toMatchObject({ next: "wait" });
    expect(await present()).toMatchObject({ ending: { reason: "minutes" } });
    clock.advance(14 * MINUTE_MS);
    await execute(1);
    expect(await present()).toMatchObject({ status: "partial", reason: "minutes" });
  });
});

describe("a lane that waits", () => {
  it("has not crashed, however often it does", async () => {
    let refusals = 4;
    const evaluator: Evaluator = {
      async evaluate(request, signal) {
        refusals -= 1;
        if (/-2$/.test(request.runId) && refusals >= 0) throw new NotReady("starting", 1_000);
        return nothingToCheck.evaluate(request, signal);
      },
    };
    const { model, execute, aheadOf } = await begun({ evaluator });
    refusals = 4;
    for (let times = 0; times < 4; times += 1) expect(await execute(2, times)).toMatchObject({ next: "wait" });
    expect(await execute(2, 4)).toMatchObject({ next: "execute" });
    expect(await aheadOf(3)).toMatchObject({ state: "finished", lane: 2 });
    expect(model.requests).toHaveLength(2);
  });
});
