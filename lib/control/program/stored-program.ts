/** A run's current program: that of the registry, or its replacement that is not stored there yet. */
import type { Damaged } from "../../core/errors.ts";
import { inWords } from "../../core/program/language/finding.ts";
import { worstCaseSteps } from "../../core/program/language/lint/worst-case.ts";
import { readProgramData } from "../../core/program/language/read-program.ts";
import type { Program } from "../../core/program/language/schema.ts";
import {
  type Draft,
  draftOf,
  type Instruction,
  instructionOf,
  type Requirement,
  type TreeNode,
} from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import { uncovered } from "../../core/program/requirements.ts";
import type { EventBody } from "../../core/run/event.ts";
import { formatWithTree, type Run } from "../../core/run/run.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { fileStoreKeys, instructionKey } from "../../registry/keys.ts";
import { damaged, damagedItem } from "../files/verified-read.ts";
import { PROGRAM } from "../turn/body-kinds.ts";
import { bodyOf, readBody, type StoredBody } from "../turn/journal.ts";
import type { World } from "../world.ts";

export type RunStores = Pick<World, "registry" | "files">;

export interface StoredProgram {
  instructions: Instruction[];
  requirements: Requirement[];
  /** Of a program with more kinds than `do`: `instructions` are the steps that it has taken, or before the first one its leaves. */
  tree?: TreeNode[] | undefined;
}

export async function storedProgram({ registry, files }: RunStores, run: Run): Promise<StoredProgram> {
  if (run.replacement !== undefined) return asStored(await replacementOf(files, run.id, run.replacement));
  const whole = run.walk && (await replacementOf(files, run.id, run.walk.program));
  if (whole && run.instructions === 0) return asStored(whole);
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
  return { instructions, requirements, ...(whole?.tree ? { tree: whole.tree } : {}) };
}

const asStored = ({ instructions, requirements, tree }: Draft): StoredProgram => ({
  requirements,
  ...(tree ? { tree } : {}),
  instructions: instructions.map((text, index) => instructionOf(text, index + 1)),
});

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

/** As it is executed: of a program with more kinds than `do` the whole of it, and not the steps that it took. */
export async function wholeProgramOf(
  { files }: Pick<RunStores, "files">,
  { id, walk }: Run,
  program: StoredProgram,
): Promise<Draft> {
  if (!walk || !program.tree) return draftOf(program);
  return draftOf({ ...(await replacementOf(files, id, walk.program)), requirements: program.requirements });
}

/** How far it is executed does not make it another program. */
export const versionOf = (draft: Draft): string => storedDraft(draft).hash;

/** Named by its version: what is there already is the same. */
export async function putReplacement(files: World["files"], runId: string, draft: Draft): Promise<string> {
  const { bytes, hash: version } = storedDraft(draft);
  await files.putOnce(fileStoreKeys(runId).program(version), bytes);
  return version;
}

/** What the run says while another program replaces its own: a program of more kinds has no steps yet. */
export const replacedBy = (
  { tree, instructions }: Draft,
  replacement: string,
  run: Run,
): Pick<Run, "instructions"> & RunPatch =>
  tree
    ? { replacement, instructions: 0, format: formatWithTree(run) }
    : { replacement, instructions: instructions.length };

export const replacementOf = (files: World["files"], runId: string, version: string): Promise<Draft> =>
  readBody(files, { key: fileStoreKeys(runId).program(version), hash: version }, PROGRAM);

/** The program of a run that walks through one. */
export async function readProgramTree(files: World["files"], runId: string, version: string): Promise<Program> {
  const { tree, requirements } = await replacementOf(files, runId, version);
  const read = readProgramData({ data: { instructions: tree, requirements }, placeOf: () => undefined });
  if ("program" in read) return read.program;
  throw damaged(fileStoreKeys(runId).program(version), read.findings.map(inWords).slice(0, 1).join());
}

const storedDraft = (draft: Draft): StoredBody => bodyOf(PROGRAM, draftOf(draft));

const TITLES_TOLD = 200;
/** A task may have tens of thousands; an event is one item. */
const UNCOVERED_TOLD = 1_000;

export const programEvent = (draft: Draft): EventBody => ({
  type: "program",
  ...titlesOf(draft),
  requirements: draft.requirements.length,
  uncovered: uncovered(draft.requirements, draft.instructions)
    .slice(0, UNCOVERED_TOLD)
    .map(({ id }) => id),
});

/** Which steps a program of more kinds takes, is known when it takes them. */
const titlesOf = (draft: Draft) =>
  draft.tree
    ? { titles: [], instructions: 0, mostSteps: worstCaseSteps(programIn(draft)) }
    : {
        titles: draft.instructions.slice(0, TITLES_TOLD).map(({ title }) => title.slice(0, 120)),
        instructions: draft.instructions.length,
      };
