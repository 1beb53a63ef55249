/** Lays installed npm packages into a copy of the tree as links: tools may keep their caches beside them. */
import { readdir, readlink, symlink } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { makeFolder, type Owner } from "./tree.ts";

/** What is a link already, a program or a package of the tree, means the same place from the copy. */
export async function linkPackages(from: string, to: string, owner: Owner | undefined): Promise<void> {
  await makeFolder(to, owner);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await linkedPlace(source), target);
    else if (entry.isDirectory() && HELD.test(entry.name)) await linkPackages(source, target, owner);
    else await symlink(source, target);
  }
}

/** A folder of programs, or of the packages of one owner. */
const HELD = /^(?:\.bin|@.*)$/;

async function linkedPlace(link: string): Promise<string> {
  const place = await readlink(link);
  return isAbsolute(place) ? link : place;
}
