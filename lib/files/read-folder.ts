/** Finds the source files of a folder: without version control, installed packages, and what lies behind symlinks. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { TREE_FILES } from "../core/limits.ts";
import { type FoundFile, type FoundFiles, LEFT_OUT } from "../pack/found-files.ts";

/** Enough to say that it is too much, and by how much about. */
const FILES_LOOKED_AT = 10 * TREE_FILES;

export async function readFolder(root: string): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const notices: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && files.length < FILES_LOOKED_AT; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    // A virtual environment, whatever it is called.
    if (folder !== "" && entries.some(({ name }) => name === "pyvenv.cfg")) continue;
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile()) files.push({ name, bytes: (await stat(join(root, name))).size });
      else notices.push(`${name} was left out: it is ${entry.isSymbolicLink() ? "a symbolic link" : "no plain file"}.`);
    }
  }
  return { files, notices, read: () => readAll(root, files) };
}

async function readAll(root: string, files: FoundFile[]): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const { name } of files) contents.set(name, await readFile(join(root, name)));
  return contents;
}
