/** The output of a completed run: the latest pack, and beside it the readable forms that the pack's domain has. */
import type { Digest, Run } from "../../core/run/run.ts";
import { entriesOf, packTree, unpackTree } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { digestOf } from "../files/digest.ts";
import { readPack } from "../files/packs.ts";
import { readVerified, unlessDamaged } from "../files/verified-read.ts";
import { readTask } from "../program/stored-task.ts";
import { deliverManifest } from "../provenance/manifest.ts";
import type { World } from "../world.ts";

export interface DeliveredOutput {
  digest: Digest;
  files: number;
  /** What readers of its forms should know, in sentences. */
  notes: string[];
}

export async function deliverOutput(world: World, run: Run): Promise<DeliveredOutput> {
  const keys = fileStoreKeys(run.id);
  const pack = await readPack(world.files, run.id, run.packed);
  const { pack: prompts } = await readTask(world.files, run.id);
  const forms = prompts.declaration.deliver ?? [];
  const { name, title, id } = run;
  const book = async () =>
    // Most runs make no book: what makes one is loaded where one is made.
    (await import("../../../packages/book/index.ts")).createBook({
      files: readVerified(keys.pack(run.packed), () => unpackTree(pack)),
      name,
      title,
      id,
      forms,
      readFont: world.readFont,
    });
  const { files, notes } = forms.length > 0 ? await book() : { files: [], notes: [] };
  const output = files.length > 0 ? packTree(pack, files) : pack;
  await world.files.put(keys.output(`${run.name}.zip`), output);
  // What was skipped has no readable forms: such a run hands out its pack.
  const manifest = deliverManifest(world, run, run.skipped ? pack : output);
  const more = await unlessDamaged(manifest, ["It has no manifest: what a manifest says of the run is damaged."]);
  return { digest: await digestOf(output), files: entriesOf(output).length, notes: [...notes, ...more] };
}
