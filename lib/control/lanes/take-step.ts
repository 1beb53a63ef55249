/** A lane takes an instruction, with what its gate compares with: both as they are now. */
import { defined } from "../../core/defined.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { LANE_FACTS } from "../turn/body-kinds.ts";
import { bodyOf } from "../turn/journal.ts";
import type { World } from "../world.ts";
import { evidenceAtPack } from "./lane-evidence.ts";

/** What is stored first is as it was for the pack: the run has not moved if the lane gets the instruction. */
export async function takeStep(
  world: World,
  run: Run,
  { lane, instruction }: { lane: number; instruction: Instruction },
): Promise<Run | undefined> {
  const { registry, files } = world;
  const evidence = asksForEvidence(run) ? await evidenceAtPack(world, run) : undefined;
  const [testLocks, baseline] = await Promise.all([registry.testLocks(run.id), registry.baseline(run.id)]);
  const { bytes } = bodyOf(LANE_FACTS, { testLocks, ...defined({ baseline, evidence }) });
  await files.put(fileStoreKeys(run.id).laneFacts(lane, run.packed), bytes);
  return registry.takeStep(run, lane, instruction);
}
