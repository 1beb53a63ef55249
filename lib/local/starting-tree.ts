/** The files that a run starts from: a folder or a zip, held to the limits that hold for every tree. */
import { stat } from "node:fs/promises";
import { checkedPaths, checkedTree, refuseTooMuch } from "../pack/checked-tree.ts";
import { type FoundFiles, refusedStart } from "../pack/found-files.ts";
import { readFolder } from "./read-folder.ts";
import { readZip } from "./read-zip.ts";
import { codeOf } from "./storage-errors.ts";

export interface StartingTree {
  files: Map<string, Uint8Array>;
  /** What was left out, in words. */
  notices: string[];
}

export async function readStartingTree(path: string): Promise<StartingTree> {
  const from = `--from ${path}`;
  const found = await findFiles(path);
  refuseTooMuch(from, found.files);
  // Before they are read: names are refused without a look inside.
  checkedPaths(from, found.files);
  return { files: checkedTree(from, await found.read()), notices: found.notices };
}

async function findFiles(path: string): Promise<FoundFiles> {
  const found = await stat(path).catch((error: unknown) => {
    const why = codeOf(error) === "ENOENT" ? "there is nothing of that name" : String(codeOf(error) || error);
    throw refusedStart(`--from ${path}: ${why}.`, error);
  });
  if (found.isDirectory()) return readFolder(path);
  if (found.isFile()) return readZip(path);
  throw refusedStart(`--from ${path}: it is neither a folder nor a zip file.`);
}
