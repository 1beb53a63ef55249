/** Loads the tree that a run starts from, out of its pack into blobs and directory: in batches, so that a crash costs one batch. */
import { MiB } from "../../core/limits.ts";
import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { PackEntry } from "../../pack/layout.ts";
import { readEntry } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { readTree } from "../files/packs.ts";
import { entryOf } from "../files/tree.ts";
import { readVerified } from "../files/verified-read.ts";
import type { StepResult } from "../step-result.ts";
import type { Invocation, World } from "../world.ts";

/** The files of a batch, inflated in memory; after each, the progress is committed. */
const FILES_AT_ONCE = 900;
const BYTES_AT_ONCE = 32 * MiB;
/** More than a batch takes on a slow disk or table. */
const FLOOR_MS = 120_000;

export async function loadTree(world: World, run: Run, { remainingMs, signal }: Invocation): Promise<StepResult> {
  // In the order of the pack, which is the same in every attempt.
  const files = [...(await readTree(world.files, run.id, 0)).values()];
  let loading = run;
  while (loading.toLoad !== undefined && remainingMs() >= FLOOR_MS) {
    signal.throwIfAborted();
    loading = await loadSome(world, loading, files.slice(files.length - loading.toLoad));
  }
  return loading.toLoad === undefined
    ? { kind: "done", run: loading }
    : { kind: "answer", answer: { next: "wait", waitSeconds: 1 } };
}

async function loadSome(world: World, run: Run, left: PackEntry[]): Promise<Run> {
  const keys = fileStoreKeys(run.id);
  const some = readVerified(keys.pack(0), () => firstOf(left).map(inflated));
  const blobs = new Map(some.map((file) => [file.sha256, file.content]));
  await inBatches([...blobs], ([sha, content]) => world.files.putOnce(keys.blob(sha), content));
  const entries = some.map((file) => ({
    folded: foldPath(file.path),
    entry: entryOf(file.path, file, { instruction: 0, turn: 0 }),
  }));
  await world.registry.loadEntries(run, entries);
  const toLoad = left.length - some.length;
  return world.registry.commit(run, { run: toLoad > 0 ? { toLoad } : { remove: ["toLoad"] } });
}

/** One at least, however large it is. */
function firstOf(left: PackEntry[]): PackEntry[] {
  let bytes = 0;
  return left.slice(0, FILES_AT_ONCE).filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= BYTES_AT_ONCE;
  });
}

function inflated(entry: PackEntry): { path: string; content: Uint8Array; sha256: string } {
  const content = readEntry(entry);
  return { path: entry.path, content, sha256: sha256(content) };
}

const AT_ONCE = 32;

async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}
