/**
 * The packs of a run: every so often a whole tree, and of each step between what it changed. The tree after a step is
 * the whole pack before it with the changes since, and its zip has the same bytes as if it had been stored whole.
 */
import { PACKS_PER_WHOLE } from "../../core/limits.ts";
import type { Change, FileStore, PackBase } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { applyChanges, type PackChanges, readChanges } from "../../pack/changes.ts";
import { layOutEntries, type PackEntries, pickUpEntries, readEntry } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { digestOf, sha256 } from "./digest.ts";
import { damaged, readRequired, readVerified } from "./verified-read.ts";

export const isWhole = (number: number): boolean => number % PACKS_PER_WHOLE === 0;

/** The changes of a step. Undefined: an earlier version wrote its whole pack instead. */
export interface StoredChanges {
  key: string;
  bytes: Uint8Array;
  changes: PackChanges;
}

export async function findChanges(files: FileStore, runId: string, number: number): Promise<StoredChanges | undefined> {
  const key = fileStoreKeys(runId).changes(number);
  const bytes = await files.get(key);
  return bytes && { key, bytes, changes: readVerified(key, () => readChanges(bytes)) };
}

/** The packs of which the tree after a step is made, in their order: one whole, then changes. */
interface Layers {
  whole: { number: number; key: string };
  changes: StoredChanges[];
}

/** Each pack of changes names the one that it is based on: two of them at most, unless an earlier version wrote the rest. */
async function findLayers(files: FileStore, runId: string, number: number): Promise<Layers> {
  const changes: StoredChanges[] = [];
  let base = number;
  while (!isWhole(base)) {
    const found = await findChanges(files, runId, base);
    if (!found) break;
    changes.unshift(found);
    const { number: below } = found.changes.base;
    if (below < 0 || below >= base) throw damaged(found.key, "it is based on a later step");
    base = below;
  }
  return { whole: { number: base, key: fileStoreKeys(runId).pack(base) }, changes };
}

/** What a tree is made of, not yet put together. */
export interface PackParts {
  whole: { key: string; bytes: Uint8Array };
  changes: StoredChanges[];
}

async function readParts(files: FileStore, runId: string, number: number): Promise<PackParts> {
  let { whole, changes } = await findLayers(files, runId, number);
  let found = await files.get(whole.key);
  // It was replaced by its changes a moment ago.
  if (!found) ({ whole, changes } = await findLayers(files, runId, number));
  found ??= await readRequired(files, whole.key);
  const bytes = found;
  checkChain({ key: whole.key, bytes }, changes);
  return { whole: { key: whole.key, bytes }, changes };
}

/** Each names the hash of the one before it, as that was stored. */
function checkChain(whole: PackParts["whole"], changes: StoredChanges[]): void {
  let below = { key: whole.key, hashes: changes.length > 0 ? [sha256(whole.bytes)] : [] };
  for (const { key, bytes, changes: read } of changes) {
    if (!below.hashes.includes(read.base.sha256)) throw damaged(below.key, "a later pack was made from other bytes");
    below = { key, hashes: [sha256(bytes), ...(read.whole ? [read.whole.sha256] : [])] };
  }
}

/** The files after a step, none of them inflated yet. */
export async function readTree(files: FileStore, runId: string, number: number): Promise<PackEntries> {
  const { whole, changes } = await readParts(files, runId, number);
  const tree = readVerified(whole.key, () => pickUpEntries(whole.bytes));
  for (const each of changes) applyChanges(tree, each.changes);
  return tree;
}

/** One file of such a tree, checked. */
export const readFileIn = (tree: PackEntries, { runId, number }: PackName, path: string): Uint8Array | undefined => {
  const entry = tree.get(path);
  return entry && readVerified(fileStoreKeys(runId).pack(number), () => readEntry(entry));
};

export interface PackName {
  runId: string;
  number: number;
}

/** The zip of the tree after a step. */
export async function readPack(files: FileStore, runId: string, number: number): Promise<Uint8Array> {
  const { whole, changes } = await readParts(files, runId, number);
  const tree = readVerified(whole.key, () => pickUpEntries(whole.bytes));
  const last = changes.at(-1);
  if (!last) return whole.bytes;
  for (const each of changes) applyChanges(tree, each.changes);
  const pack = layOutEntries(tree);
  const known = last.changes.whole;
  if (known && digestOf(pack).sha256 !== known.sha256)
    throw damaged(last.key, "rebuilding its files gives other bytes");
  return pack;
}

/** The tree that an evaluation is based on. */
export function packBase(
  files: FileStore,
  { id: runId, packed, packedBytes }: Pick<Run, "id" | "packed" | "packedBytes">,
): PackBase {
  const number = packed;
  let loading: Promise<Uint8Array> | undefined;
  const load = (): Promise<Uint8Array> => {
    loading ??= readPack(files, runId, number);
    return loading;
  };
  return {
    key: fileStoreKeys(runId).pack(number),
    load,
    changesSince: (key) => changesSince(files, { runId, number }, key),
    bytes: packedBytes,
    async parts() {
      const { whole, changes } = await findLayers(files, runId, number);
      return [{ key: whole.key }, ...changes.map(({ key, bytes }) => ({ key, bytes: bytes.length }))];
    },
  };
}

/** All that changed since what the pack is based on; undefined where that is after the other pack. */
async function changesSince(files: FileStore, { runId, number }: PackName, key: string): Promise<Change[] | undefined> {
  const found = await findChanges(files, runId, number);
  if (!found) return undefined;
  const { base, removed, entries } = found.changes;
  const since = Array.from({ length: number - base.number }, (_, index) => base.number + index);
  if (!since.some((each) => fileStoreKeys(runId).pack(each) === key)) return undefined;
  const written = [...entries].map(([path, entry]) => ({
    path,
    content: readVerified(found.key, () => readEntry(entry)),
  }));
  return [...removed.map((path) => ({ path, content: null })), ...written];
}
