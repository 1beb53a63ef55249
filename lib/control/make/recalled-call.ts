/**
 * The steps of a call that an earlier version took over from another run: a run that was inside the call goes on with
 * its own copy of them, and a replay takes over what was taken over then.
 */

import type { MemoReference } from "../../core/make/recalled-call.ts";
import type { Run } from "../../core/run/run.ts";
import type { Step } from "../../core/step/step.ts";
import type { StepKey } from "../../core/step/step-record.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { filesBefore } from "../evidence/trees.ts";
import { readBlob } from "../files/verified-read.ts";
import type { Recorded, RecordedMemo } from "../recorded.ts";
import { MEMO } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { World } from "../world.ts";
import { type ChosenStep, judgeStep } from "./choose-step.ts";
import { listedHash } from "./readings.ts";
import { ownHash } from "./step-key.ts";

/** For the replay of a run: its bytes are those of the run itself. */
export const memosOf =
  ({ registry, files }: World, { id }: Run): Recorded["memoAt"] =>
  async (number) => {
    const { memo } = (await registry.instruction(id, number)) ?? {};
    const steps = memo && (await readMemo({ files }, memo));
    return steps && { steps, blob: (sha) => readBlob(files, id, sha) };
  };

const readMemo = ({ files }: Pick<World, "files">, { body, sha256 }: MemoReference) =>
  readBody(files, { key: body, hash: sha256 }, MEMO);

export interface RecalledStep {
  /** That has the step. */
  run: string;
  chosen: ChosenStep;
}

/** Undefined: none of its steps can take the place of the instruction. */
export async function findRecalled(step: OpenStep, key: StepKey): Promise<RecalledStep | undefined> {
  const { world, state } = step;
  const given = await world.recorded?.memoAt(state.run.pc);
  if (given) await copyBlobs(step, given);
  const { of } = state.run.memo ?? {};
  const found = given?.steps ?? (of && (await readMemo(world, of)));
  for (const each of found?.steps.filter(({ record }) => ownHash(record.key) === ownHash(key)) ?? []) {
    const chosen = await judgeStep(step, key, each);
    if (found && chosen.reasons.length === 0 && !(await listsOthers(step, each))) return { run: found.run, chosen };
  }
  return undefined;
}

/** The model may have taken a name from the list of files in its prompt. Absent: an earlier version took the step over. */
const listsOthers = async (step: OpenStep, { record: { listed, touched } }: Step): Promise<boolean> =>
  listed !== undefined && listed !== listedHash(await filesBefore(step), touched);

async function copyBlobs({ world: { files }, state: { run } }: OpenStep, { steps, blob }: RecordedMemo): Promise<void> {
  const keys = fileStoreKeys(run.id);
  for (const sha of blobsOf(steps.steps)) await files.putOnce(keys.blob(sha), await blob(sha));
}

/** What they wrote: what was there before is there now, or they are not taken over. */
export const blobsOf = (steps: Step[]): Set<string> =>
  new Set(steps.flatMap(({ record }) => record.writes.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256]))));
