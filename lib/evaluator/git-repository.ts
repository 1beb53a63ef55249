/** An empty repository of Git, as every clone and every project in work has one. Its files need no Git to be made. */
import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, type Owner } from "./tree.ts";

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
