/** Files of the tree as the last step left it, for what a program asks about them. */
import type { Run } from "../../core/run/run.ts";
import { checkPath, foldPath } from "../../core/text/file-path.ts";
import { decodeText } from "../../core/text/file-text.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import { readBlob } from "../files/verified-read.ts";
import type { World } from "../world.ts";

type Stores = Pick<World, "registry" | "files">;

/** Undefined: there is no file of just this name. */
export async function readTreeText(
  stores: Stores,
  run: Run,
  path: string,
): Promise<{ text: string | undefined } | undefined> {
  const entry = await entryAt(stores, run, path);
  return entry && { text: decodeText(await readBlob(stores.files, run.id, entry.sha256)) };
}

export const isInTree = async (stores: Pick<Stores, "registry">, run: Run, path: string): Promise<boolean> =>
  (await entryAt(stores, run, path)) !== undefined;

/** With files in it. */
export async function isFolder({ registry }: Pick<Stores, "registry">, { id }: Run, path: string): Promise<boolean> {
  const checked = checkPath(path.replace(/\/$/, ""));
  if ("problem" in checked) return false;
  return (await registry.files(id, { prefix: foldPath(`${checked.path}/`), limit: 1 })).length > 0;
}

/** What cannot be the path of a file is none. */
async function entryAt(
  { registry }: Pick<Stores, "registry">,
  { id }: Run,
  path: string,
): Promise<FileEntry | undefined> {
  const checked = checkPath(path);
  if ("problem" in checked) return undefined;
  const entry = await registry.file(id, foldPath(checked.path));
  return entry?.path === checked.path ? entry : undefined;
}
