/** Files of the tree as the last step left it, for what a program asks about them. */
import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { readBlob } from "../files/verified-read.ts";
import type { World } from "../world.ts";

/** Undefined: there is no file of just this name. */
export async function readTreeText(
  { registry, files }: Pick<World, "registry" | "files">,
  { id }: Run,
  path: string,
): Promise<{ text: string | undefined } | undefined> {
  const entry = await registry.file(id, foldPath(path));
  if (entry?.path !== path) return undefined;
  return { text: decodeText(await readBlob(files, id, entry.sha256)) };
}

export async function isInTree({ registry }: Pick<World, "registry">, { id }: Run, path: string): Promise<boolean> {
  return (await registry.file(id, foldPath(path)))?.path === path;
}
