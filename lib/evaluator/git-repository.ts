/** An empty repository of Git for a tree that comes from one. Its files need no Git to be made. */
import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, type Owner, type Tree } from "./tree.ts";

/** A program that lists its folder must not find what its tree has no sign of. */
export const isFromRepository = ({ files }: Tree): boolean =>
  files.some((path) => /^(?:\.gitignore|\.gitattributes|\.gitmodules|\.gitlab-ci\.yml|\.github\/.*)$/.test(path));

export async function layRepository(folder: string, owner: Owner | undefined): Promise<void> {
  for (const below of ["", "objects", "refs", "refs/heads", "refs/tags"]) await makeFolder(join(folder, below), owner);
  const settings = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";
  for (const [name, text] of [
    ["HEAD", "ref: refs/heads/main\n"],
    ["config", settings],
  ] as const) {
    await writeFile(join(folder, name), text);
    if (owner) await chown(join(folder, name), owner.uid, owner.gid);
  }
}
