/** A server that lets a lane wait for long: it is not asked before, and nothing else waits for that lane. */
import { expect, it } from "vitest";
import { ModelError } from "../../../lib/core/errors.ts";
import type { Clock, Model } from "../../../lib/core/ports.ts";
import { firstAttemptOf } from "../../../lib/core/turn/turn-address.ts";
import { obeyAtOnce, parts, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { aMachine, compute } from "../../doubles/machines.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";
import { createVirtualClock } from "../../virtual-clock.ts";

const { machines } = openedMachines();

const NOON = Date.parse("2026-03-01T12:00:00Z");
const HOURS_MS = 2 * 3_600_000;
const INVOCATION_SECONDS = 870;

async function refusedForHours(loopLimit: number) {
  const time = createVirtualClock(NOON);
  const naps: number[] = [];
  const clock: Clock = {
    ...time,
    sleep(milliseconds, signal) {
      naps.push(milliseconds / 1_000);
      return time.sleep(milliseconds, signal);
    },
  };
  const script = scriptedModel(obeyAtOnce);
  const waiting = Promise.withResolvers<void>();
  const askedAt: number[] = [];
  const model: Model = {
    async ask(request, signal, progress) {
      if (textOf(request).includes(": Part 1\n")) {
        askedAt.push(clock.now() - NOON);
        waiting.resolve();
        if (askedAt.length === 1)
          throw new ModelError("too many", { kind: "rate_limited", retryAfterMs: HOURS_MS, perhapsPaid: false });
      } else await waiting.promise;
      return script.ask(request, signal, progress);
    },
  };
  // In memory, so that time passes only where nothing is left to do.
  const machine = aMachine({ model, clock, storage: lastingStorage(), loopLimit, random: () => 0 });
  machines.push(machine);
  const run = await compute(machine, await submissionOf(parts(2), 2));
  return { run, naps, askedAt, lane: await machine.registry.lane(run, 2) };
}

it.each([
  ["in one epoch", 1_000],
  ["in several epochs", 40],
])("is asked again when the time has come, %s, and the lane looks in between", async (_, loopLimit) => {
  const { run, naps, askedAt, lane } = await refusedForHours(loopLimit);
  expect(run).toMatchObject({ status: "completed", calls: 2 });
  expect(run.epoch > 1).toBe(loopLimit === 40);
  expect(Math.max(...naps)).toBeLessThan(INVOCATION_SECONDS);
  expect(askedAt).toHaveLength(2);
  expect((askedAt[1] ?? 0) - (askedAt[0] ?? 0)).toBeGreaterThanOrEqual(HOURS_MS);
  // It took the instruction, and claimed it once more when the time had come.
  expect(lane?.attempt).toBe(firstAttemptOf(2) + 2);
});
