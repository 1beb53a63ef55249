/** Writes the pack of the instruction that was accepted last: what it changed, and every so often the whole tree. */
import type { Change, FileStore } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import type { PathChange } from "../../core/turn/turn.ts";
import { type ChangedFiles, joinChanges, type PackChanges, packChanges } from "../../pack/changes.ts";
import { changeEntries, layOutEntries, packedBytesOf } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { digestOf, sha256 } from "../files/digest.ts";
import { findChanges, isWhole, readTree } from "../files/packs.ts";
import { prunePacks } from "../files/prune-packs.ts";
import { readBlob, readRequired } from "../files/verified-read.ts";
import { unpackedBefore } from "../turn/step-state.ts";
import type { World } from "../world.ts";

/**
 * The acceptance is committed before the pack is written, and nothing changes the tree before it is there:
 * so every attempt to write this pack writes the same bytes.
 */
export async function packAccepted(world: World, run: Run): Promise<Run> {
  const { files, registry } = world;
  const keys = fileStoreKeys(run.id);
  const number = run.packed + 1;
  const turns = [...(await unpackedBefore(world, run, number)), ...(await registry.turns(run.id, number))];
  const steps = foldChanges(turns.flatMap((turn) => turn.changes));
  const changes = await Promise.all(steps.map((step) => changeOf(world, run, step)));
  const whole = isWhole(number) ? await wholeAfter(world, run, changes) : undefined;
  if (whole) await files.putOnce(keys.pack(number), whole);
  const removed = changes.flatMap(({ path, content }) => (content ? [] : [path]));
  const pack = packChanges({
    ...(await sinceBase(files, run, { removed, entries: changeEntries(new Map(), changes) })),
    ...(whole ? { whole: digestOf(whole) } : {}),
  });
  await files.putOnce(keys.changes(number), pack);
  await refreshView(world, run, changes);
  const packedBytes = whole?.length ?? (await packedBytesAfter(world, run, { steps, changes }));
  const packed = await registry.commit(run, {
    run: { format: run.format === 1 ? 2 : run.format, packed: number, packedBytes, outputFiles: run.files },
  });
  if (whole) await prunePacks(files, run.id, number);
  return packed;
}

/** From what stood there at the last acceptance to what stands there now; a path that is as it was has no change. */
function foldChanges(changes: PathChange[]): PathChange[] {
  const folded = new Map<string, PathChange>();
  for (const change of changes) folded.set(change.path, { ...change, was: (folded.get(change.path) ?? change).was });
  return [...folded.values()].filter(({ sha256, was }) => sha256 !== was);
}

async function changeOf(world: World, run: Run, { path, sha256 }: PathChange): Promise<Change> {
  if (sha256 === null) return { path, content: null };
  return { path, content: await readBlob(world.files, run.id, sha256) };
}

async function wholeAfter({ files }: World, { id, packed }: Run, changes: Change[]): Promise<Uint8Array> {
  return layOutEntries(changeEntries(await readTree(files, id, packed), changes));
}

/** A pack of changes has those of so many steps at most, or of all since the last whole pack. */
const STEPS_TOGETHER = 10;

/** What changed since the pack that this one is based on: so every tree is made of three packs at most. */
async function sinceBase(
  files: FileStore,
  { id, packed }: Run,
  step: ChangedFiles,
): Promise<Pick<PackChanges, "base" | "removed" | "entries">> {
  const before = packed > 0 ? await findChanges(files, id, packed) : undefined;
  if (!before) {
    const whole = await readRequired(files, fileStoreKeys(id).pack(packed));
    return { base: { number: packed, sha256: sha256(whole) }, ...step };
  }
  const { changes } = before;
  if (packed % STEPS_TOGETHER === 0)
    return { base: { number: packed, sha256: changes.whole?.sha256 ?? sha256(before.bytes) }, ...step };
  const together = joinChanges(changes, step);
  const isLast = (packed + 1) % STEPS_TOGETHER === 0;
  const above = isLast && !isWhole(changes.base.number) ? await findChanges(files, id, changes.base.number) : undefined;
  if (!above) return { base: changes.base, ...together };
  return { base: above.changes.base, ...joinChanges(above.changes, together) };
}

/** Counted from the files that changed; a whole pack is measured. */
async function packedBytesAfter(
  { files }: World,
  run: Run,
  { steps, changes }: { steps: PathChange[]; changes: Change[] },
): Promise<number> {
  let bytes = run.packedBytes;
  for (const { path, content } of changes) if (content) bytes += packedBytesOf(path, content);
  for (const { path, was } of steps) if (was !== null) bytes -= packedBytesOf(path, await readBlob(files, run.id, was));
  return Math.max(0, bytes);
}

/** `files/…` is a view for people; the directory in the registry is what counts. */
async function refreshView(world: World, run: Run, changes: Change[]): Promise<void> {
  const keys = fileStoreKeys(run.id);
  await Promise.all(
    changes.filter(({ content }) => content === null).map(({ path }) => world.files.remove(keys.view(path))),
  );
  await Promise.all(
    changes.flatMap(({ path, content }) => (content ? [world.files.put(keys.view(path), content)] : [])),
  );
}
