/** Writes the pack of the instruction that was accepted last: the previous pack with what the instruction changed. */
import type { Change } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import type { PathChange } from "../../core/turn/turn.ts";
import { entriesOf, packTree } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readBlob, readPack } from "../files/verified-read.ts";
import type { World } from "../world.ts";

/**
 * The acceptance is committed before the pack is written, and nothing changes the tree before it is there:
 * so every attempt to write this pack writes the same bytes.
 */
export async function packAccepted(world: World, run: Run): Promise<Run> {
  const keys = fileStoreKeys(run.id);
  const number = run.packed + 1;
  const previous = await readPack(world.files, run.id, run.packed);
  const changes = await changesOf(world, run, number);
  const pack = packTree(previous, changes);
  await world.files.putOnce(keys.pack(number), pack);
  await refreshView(world, run, changes);
  return world.registry.commit(run, {
    run: { packed: number, packedBytes: pack.length, outputFiles: entriesOf(pack).length },
  });
}

async function changesOf(world: World, run: Run, instruction: number): Promise<Change[]> {
  const turns = await world.registry.turns(run.id, instruction);
  const folded = new Map<string, PathChange>();
  for (const change of turns.flatMap((turn) => turn.changes)) folded.set(change.path, change);
  return Promise.all([...folded.values()].map((change) => changeOf(world, run, change)));
}

async function changeOf(world: World, run: Run, { path, sha256 }: PathChange): Promise<Change> {
  if (sha256 === null) return { path, content: null };
  return { path, content: await readBlob(world.files, run.id, sha256) };
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
