/** Evidence that the run executes again or replaces while a lane works: the lane sees it as it was at its pack. */
import { expect, it } from "vitest";
import { evidenceInLane } from "../../../lib/control/lanes/lane-evidence.ts";
import { takeStep } from "../../../lib/control/lanes/take-step.ts";
import { LANE_FACTS } from "../../../lib/control/turn/body-kinds.ts";
import { readBody } from "../../../lib/control/turn/journal.ts";
import type { World } from "../../../lib/control/world.ts";
import type { Evidence } from "../../../lib/core/evidence/evidence.ts";
import type { Instruction } from "../../../lib/core/program/program.ts";
import { fileStoreKeys } from "../../../lib/registry/keys.ts";
import { createRegistry } from "../../../lib/registry/registry.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { aRun } from "../../doubles/runs.ts";

const passed = { status: "passed", detail: "", output: "", tree: "t" } as const;
const proof = (n: number, instruction: number): Evidence => ({
  ...{ requirement: "R1", n, instruction, turn: 1, at: "2026-01-01T00:00:00.000Z", grade: 2 },
  ...{ check: { tests: ["test/a.test.js"] }, base: passed, work: passed },
});

it("is what the lane reads, however the run goes on", async () => {
  const { table, files } = lastingStorage();
  const registry = createRegistry({ table, clock: fakeClock(0) });
  const { options } = aRun();
  await registry.create(aRun({ options: { ...options, parallel: 2, evidence: "own" }, packed: 1, pc: 2 }));
  const claimed = await registry.claim(aRun().id, aRun().epoch);
  let run = await registry.commit(claimed, { evidence: [proof(1, 1)] });
  // The instruction after the pack proves the same again, before the lane takes its own.
  const replaced = { of: { requirement: "R1", n: 1 }, set: { replacedBy: 2 } };
  run = await registry.commit(run, { evidence: [proof(2, 2)], evidenceFound: [replaced] });
  const world = { files, registry: { ...registry, takeStep: async () => run } } as unknown as World;
  await takeStep(world, run, { lane: 2, instruction: { number: 3 } as Instruction });
  const { evidence } = await readBody(files, { key: fileStoreKeys(run.id).laneFacts(2, 1) }, LANE_FACTS);
  const again = { ...passed, tree: "u", instruction: 2 };
  await registry.commit(run, { evidenceFound: [{ ...replaced, set: { again } }] });
  const seen = await evidenceInLane({ registry, files }, { ...run, lane: 2, pc: 3 }, evidence);
  expect(await seen.read()).toEqual([proof(1, 1)]);
});
