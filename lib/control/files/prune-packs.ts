/**
 * Prunes the packs of a run that an earlier version began: it wrote the whole tree at each step. Of those older than
 * the last ones, each that is not kept as a whole is replaced by what its step changed.
 */
import { PACKS_KEPT, PACKS_PER_WHOLE } from "../../core/limits.ts";
import type { FileStore } from "../../core/ports.ts";
import { applyChanges, packChanges } from "../../pack/changes.ts";
import { isSame, layOutEntries, pickUpEntries } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { digestOf, sha256 } from "./digest.ts";
import { isWhole, type PackName, readPack } from "./packs.ts";
import { readVerified, unlessDamaged } from "./verified-read.ts";

/** More than one invocation should spend on it; the next whole pack goes on. */
const BLOCKS_AT_ONCE = 4;

/**
 * Can be repeated after a crash at any place: a pack goes only after the one that replaces it is there. What is damaged
 * stays as it is: nothing needs it until somebody asks for it.
 */
export async function prunePacks(files: FileStore, runId: string, latest: number): Promise<void> {
  const end = Math.floor((latest - PACKS_KEPT) / PACKS_PER_WHOLE) * PACKS_PER_WHOLE;
  // The first block is pruned last: a run that has nothing to prune is asked for that one alone.
  if (end <= 0 || (await isPruned(files, runId, 0))) return;
  let pruned = 0;
  for (let first = end - PACKS_PER_WHOLE; first >= 0 && pruned < BLOCKS_AT_ONCE; first -= PACKS_PER_WHOLE)
    if (!(await isPruned(files, runId, first))) {
      await unlessDamaged(pruneBlock(files, runId, first), undefined);
      if (await isPruned(files, runId, first)) pruned += 1;
    }
}

/** The last pack of a block is replaced last; of the block in which this version went on, only the first ones are whole. */
async function isPruned(files: FileStore, runId: string, first: number): Promise<boolean> {
  const keys = fileStoreKeys(runId);
  const ends = [first + 1, first + PACKS_PER_WHOLE - 1];
  return (await Promise.all(ends.map((number) => files.get(keys.pack(number))))).every((pack) => pack === undefined);
}

async function pruneBlock(files: FileStore, runId: string, first: number): Promise<void> {
  let before = await readPack(files, runId, first);
  for (let number = first + 1; !isWhole(number); number += 1) {
    const whole = await files.get(fileStoreKeys(runId).pack(number));
    const after = whole ?? (await readPack(files, runId, number));
    if (whole) await replaceWhole(files, { runId, number }, { before, after });
    before = after;
  }
}

interface Step {
  before: Uint8Array;
  after: Uint8Array;
}

async function replaceWhole(files: FileStore, { runId, number }: PackName, step: Step): Promise<void> {
  const keys = fileStoreKeys(runId);
  const changes = readVerified(keys.pack(number), () => changesOf(step, number));
  // What would not come back byte for byte stays.
  if (!changes) return;
  await files.putOnce(keys.changes(number), changes);
  await files.remove(keys.pack(number));
}

/** Undefined: with the step before it, they do not give the bytes of the whole pack. */
function changesOf({ before, after }: Step, number: number): Uint8Array | undefined {
  const [from, to] = [pickUpEntries(before), pickUpEntries(after)];
  const removed = [...from.keys()].filter((path) => !to.has(path));
  const entries = new Map([...to].filter(([path, entry]) => !isSame(from.get(path), entry)));
  applyChanges(from, { removed, entries });
  const { bytes, sha256: hash } = digestOf(after);
  if (sha256(layOutEntries(from)) !== hash) return undefined;
  return packChanges({
    base: { number: number - 1, sha256: sha256(before) },
    removed,
    whole: { bytes, sha256: hash },
    entries,
  });
}
