/** Lanes of one process wake each other: a run with lanes ends on a computer on which no wait ever does. */
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../lib/core/ports.ts";
import { obey, parts, submissionOf } from "../../doubles/lane-programs.ts";
import { compute } from "../../doubles/machines.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

/** Only an abort wakes. */
const endless: Clock = {
  now: () => Date.parse("2026-01-01T08:00:00Z"),
  steady: () => 0,
  sleep: (_milliseconds, signal) =>
    new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    }),
};

const chain = parts(6).map((part, at) => (at === 0 ? part : { ...part, needs: [`p${at - 1}`] }));
const pairs = parts(8).map((part, at) => (at < 2 ? part : { ...part, needs: [`p${at - 2}`] }));

describe("lanes of one process", () => {
  it.each([
    ["that need nothing, in 2 lanes", parts(4), 2],
    ["that need nothing, in 16 lanes", parts(16), 16],
    ["that need the one before, in 4 lanes", chain, 4],
    ["that need the one before the last, in 3 lanes", pairs, 3],
  ])("execute instructions %s without a nap", async (_how, instructions, lanes) => {
    const machine = opened({ model: scriptedModel(obey), clock: endless });
    const run = await compute(machine, await submissionOf(instructions, lanes));
    expect(run).toMatchObject({ status: "completed", files: instructions.length });
  });
});
