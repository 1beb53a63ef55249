/** Submits a task: stores what the run needs, creates it, and begins epoch 1. Nothing is computed here. */
import { foldPath } from "../core/file-path.ts";
import type { ModelProfile } from "../core/model-profile.ts";
import { type Draft, type Requirement, titleOf } from "../core/program.ts";
import type { PromptPack } from "../core/prompt.ts";
import { isEnded, type Run, type RunOptions } from "../core/run.ts";
import type { TaskDocument } from "../core/task.ts";
import { ulid } from "../core/ulid.ts";
import { packTree } from "../pack/pack.ts";
import type { Idempotency } from "../registry/create.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { sha256 } from "./digest.ts";
import { putJson } from "./journal.ts";
import { entryOf } from "./tree.ts";
import type { World } from "./world.ts";

export interface Submission {
  /** Where somebody must know it before the run is there. */
  id?: string;
  task: string;
  name: string;
  owner: string;
  pack: PromptPack;
  requirements: Requirement[];
  program?: Draft | undefined;
  options: RunOptions;
  profile: ModelProfile;
  /** Where there are several: all of them, that of the first being `profile`. */
  models?: ModelProfile[] | undefined;
  /** The tree that the run starts from; paths are checked already. */
  from?: Map<string, Uint8Array>;
  idempotency?: Idempotency;
}

export type Submitted = { run: Run; isNew: boolean } | { conflict: "another_body" };

export async function submit(world: World, submission: Submission): Promise<Submitted> {
  const { registry, files, clock } = world;
  const run = newRun(submission, submission.id ?? ulid(clock.now(), world.random), new Date(clock.now()).toISOString());
  await putJson(files, fileStoreKeys(run.id).task, documentOf(submission));
  const created = await registry.create(run, submission.idempotency);
  if ("conflict" in created || created.run.id !== run.id) await files.removeAll(fileStoreKeys(run.id).root);
  if ("conflict" in created || created.run.epoch > 0 || isEnded(created.run.status)) return created;
  // New; or left half-way by the same submission, made before: what it stored already is stored again.
  const loaded = submission.from ? await loadTree(world, created.run, submission.from) : {};
  const ready = await registry.beginEpoch(created.run, loaded);
  if (ready) return { run: ready, isNew: true };
  const finished = await registry.run(created.run.id);
  if (!finished) throw new Error(`Run ${created.run.id} was deleted before it was ready.`);
  return { run: finished, isNew: false };
}

const documentOf = ({ task, pack, requirements, program }: Submission): TaskDocument => ({
  task,
  pack,
  requirements,
  ...(program ? { program } : {}),
});

async function loadTree({ registry, files }: World, run: Run, from: Map<string, Uint8Array>): Promise<Partial<Run>> {
  const keys = fileStoreKeys(run.id);
  const entries = [...from].map(([path, content]) => ({
    folded: foldPath(path),
    entry: entryOf(path, { content, sha256: sha256(content) }, { instruction: 0, turn: 0 }),
    content,
  }));
  const blobs = new Map(entries.map(({ entry, content }) => [entry.sha256, content]));
  await inBatches([...blobs], ([sha, content]) => files.putOnce(keys.blob(sha), content));
  await registry.loadEntries(run.id, entries);
  const pack = packTree(
    undefined,
    [...from].map(([path, content]) => ({ path, content })),
  );
  await files.putOnce(keys.pack(0), pack);
  return { files: from.size, packedBytes: pack.length };
}

const AT_ONCE = 32;

async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}

function newRun({ task, name, owner, options, profile, models }: Submission, id: string, now: string): Run {
  return {
    format: 1,
    id,
    owner,
    name,
    title: titleOf(task),
    status: "queued",
    createdAt: now,
    updatedAt: now,
    options,
    profile,
    ...(models ? { models } : {}),
    epoch: 0,
    attempt: 0,
    pc: 0,
    instructions: 0,
    packed: -1,
    turn: 0,
    events: 0,
    forgivenTurn: 0,
    failures: 0,
    turns: 0,
    calls: 0,
    microUsd: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    activeMs: 0,
    files: 0,
    packedBytes: 0,
    tokensPerByte: 0,
    tokensPerSecond: 0,
    testsSeen: false,
    testsPassed: 0,
    testsTotal: 0,
    unchecked: [],
  };
}
