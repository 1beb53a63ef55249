/** A run's current program: that of the registry, or its replacement that is not stored there yet. */
import type { Damaged } from "../../core/errors.ts";
import { type Draft, draftOf, type Instruction, instructionOf, type Requirement } from "../../core/program/program.ts";
import { uncovered } from "../../core/program/requirements.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys, instructionKey } from "../../registry/keys.ts";
import { damagedItem } from "../files/verified-read.ts";
import { PROGRAM } from "../turn/body-kinds.ts";
import { bodyOf, readBody, type StoredBody } from "../turn/journal.ts";
import type { World } from "../world.ts";

export type RunStores = Pick<World, "registry" | "files">;

export interface StoredProgram {
  instructions: Instruction[];
  requirements: Requirement[];
}

export async function storedProgram({ registry, files }: RunStores, run: Run): Promise<StoredProgram> {
  if (run.replacement !== undefined) {
    const { instructions, requirements } = await replacementOf(files, run.id, run.replacement);
    return { instructions: instructions.map((text, index) => instructionOf(text, index + 1)), requirements };
  }
  const [instructions, requirements] = await Promise.all([
    registry.instructions(run.id),
    registry.requirements(run.id),
  ]);
  const damage = damageOf(run, instructions);
  if (damage) {
    const now = await registry.run(run.id);
    // Meanwhile it may have got another program.
    if (now && now.epoch !== run.epoch) return storedProgram({ registry, files }, now);
    if (now) throw damage;
  }
  return { instructions, requirements };
}

/** Before the run says how long its program is, what is stored of one does not count. */
function damageOf(run: Run, instructions: Instruction[]): Damaged | undefined {
  if (run.instructions === 0) return undefined;
  const gap = instructions.findIndex(({ number }, index) => number !== index + 1);
  const missing = gap < 0 ? instructions.length + 1 : gap + 1;
  if (gap >= 0 || missing <= run.instructions) return damagedItem(instructionKey(run.id, missing));
  if (instructions.length === run.instructions) return undefined;
  return damagedItem(instructionKey(run.id, run.instructions + 1), `the program has ${run.instructions} instructions`);
}

export const programOf = async (place: RunStores, run: Run): Promise<Draft> => draftOf(await storedProgram(place, run));

/** How far it is executed does not make it another program. */
export const versionOf = (draft: Draft): string => storedDraft(draft).hash;

/** Named by its version: what is there already is the same. */
export async function putReplacement(files: World["files"], runId: string, draft: Draft): Promise<string> {
  const { bytes, hash: version } = storedDraft(draft);
  await files.putOnce(fileStoreKeys(runId).program(version), bytes);
  return version;
}

export const replacementOf = (files: World["files"], runId: string, version: string): Promise<Draft> =>
  readBody(files, { key: fileStoreKeys(runId).program(version), hash: version }, PROGRAM);

const storedDraft = (draft: Draft): StoredBody => bodyOf(PROGRAM, draftOf(draft));

const TITLES_TOLD = 200;
/** A task may have tens of thousands; an event is one item. */
const UNCOVERED_TOLD = 1_000;

export const programEvent = ({ instructions, requirements }: Draft): EventBody => ({
  type: "program",
  titles: instructions.slice(0, TITLES_TOLD).map(({ title }) => title.slice(0, 120)),
  instructions: instructions.length,
  requirements: requirements.length,
  uncovered: uncovered(requirements, instructions)
    .slice(0, UNCOVERED_TOLD)
    .map(({ id }) => id),
});
