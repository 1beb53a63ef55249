/** Files that are there wholly or not at all, whoever is killed when. Folders come with them and go with them. */
import { randomUUID } from "node:crypto";
import { link, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { codeOf } from "./storage-errors.ts";

/** Replaces what was there. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  await throughTemporary(path, bytes, async (temporary) => {
    try {
      await rename(temporary, path);
    } catch (error) {
      if (codeOf(error) !== "EISDIR") throw error;
      await clearFolder(path);
      await rename(temporary, path);
    }
  });
}

/** Answers false, and changes nothing, where the file is there already: of several at once exactly one writes. */
export async function writeOnce(path: string, bytes: Uint8Array | string): Promise<boolean> {
  if (await exists(path)) return false;
  let written = false;
  await throughTemporary(path, bytes, async (temporary) => {
    written = await placeOnce(temporary, path);
    await rm(temporary, { force: true });
  });
  return written;
}

/** Removes the file, if there is one, and the folders above it that are empty then, as far as `root`. */
export async function removeWhole(path: string, root: string): Promise<void> {
  try {
    await rm(path);
  } catch (error) {
    if (!NO_FILE.has(codeOf(error))) throw error;
    return;
  }
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (!(await removeIfEmpty(folder))) return;
  }
}

const NO_FILE = new Set(["ENOENT", "ENOTDIR", "ERR_FS_EISDIR"]);

/** What a killed process left half written in that very folder; with the folders above it that are empty then. */
export async function removeLeftovers(folder: string, root: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile() && LEFTOVER.test(entry.name)) await removeWhole(join(folder, entry.name), root);
  }
}

/** In front of a random name that is as long whatever the path's: no key begins a segment so. */
const TEMPORARY = ".l2mac-";
const LEFTOVER = /^\.l2mac-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

async function throughTemporary(
  path: string,
  bytes: Uint8Array | string,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`);
  try {
    await writeMakingParents(temporary, bytes);
    await place(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Somebody may remove the empty folder again before the file is in it. */
const PARENT_TRIES = 5;

async function writeMakingParents(path: string, bytes: Uint8Array | string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeFile(path, bytes, { flag: "wx" });
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tries === PARENT_TRIES) throw error;
      makeFolder(dirname(path));
    }
  }
}

async function placeOnce(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error;
    // A disk without links (exFAT): whole still, but two at the very same moment may both write.
    if (await exists(path)) return false;
    await rename(temporary, path);
    return true;
  }
}

const WITHOUT_LINKS = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]);

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

/** A folder that a killed process left without a file in it. One with files in it stays, and is an error. */
async function clearFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await clearFolder(path);
    else if (entry.name.startsWith(TEMPORARY)) await rm(path, { force: true });
  }
  await rmdir(folder);
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}
