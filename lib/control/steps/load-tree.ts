/** Loads what a run starts from, out of its pack into blobs and directory: some at a time, so that whoever goes on after a crash goes on there. */

import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { unpackTree } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { entryOf } from "../files/tree.ts";
import { readPack, readVerified } from "../files/verified-read.ts";
import type { Invocation, World } from "../world.ts";

type File = [path: string, content: Uint8Array];

/** After so many it is noted how far it is. */
const FILES_AT_ONCE = 900;
/** More than they take, however slow the disk or the table is. */
const FLOOR_MS = 120_000;

/** What is left, where the invocation ends before: `toLoad` of the run that it answers. */
export async function loadTree(world: World, run: Run, { remainingMs, signal }: Invocation): Promise<Run> {
  const pack = await readPack(world.files, run.id, 0);
  // In the order of the pack, whoever reads it.
  const files = [...readVerified(fileStoreKeys(run.id).pack(0), () => unpackTree(pack))];
  let loading = run;
  while (loading.toLoad !== undefined && remainingMs() >= FLOOR_MS) {
    signal.throwIfAborted();
    loading = await loadSome(world, loading, files.slice(files.length - loading.toLoad));
  }
  return loading;
}

async function loadSome(world: World, run: Run, left: File[]): Promise<Run> {
  const some = left.slice(0, FILES_AT_ONCE).map(([path, content]) => ({ path, content, sha256: sha256(content) }));
  const blobs = new Map(some.map((file) => [file.sha256, file.content]));
  const keys = fileStoreKeys(run.id);
  await inBatches([...blobs], ([sha, content]) => world.files.putOnce(keys.blob(sha), content));
  const entries = some.map((file) => ({
    folded: foldPath(file.path),
    entry: entryOf(file.path, file, { instruction: 0, turn: 0 }),
  }));
  await world.registry.loadEntries(run, entries);
  const toLoad = left.length - some.length;
  return world.registry.commit(run, { run: toLoad > 0 ? { toLoad } : { remove: ["toLoad"] } });
}

const AT_ONCE = 32;

async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}
