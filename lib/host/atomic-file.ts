/** Atomic file writes: a killed process leaves the whole file or none. Parent folders are created and removed with it. */
import { randomUUID } from "node:crypto";
import { link, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, makeLastingFolder } from "./make-folder.ts";
import { codeOf } from "./storage-errors.ts";
import { syncPath } from "./sync-folder.ts";

type Bytes = Uint8Array | string;

/** `lasting`: once it is written, a power cut does not undo it. */
export interface Lasting {
  lasting?: boolean;
}

/** Replaces what was there. */
export async function writeWhole(path: string, bytes: Bytes, { lasting = false }: Lasting = {}): Promise<void> {
  await throughTemporary(path, { bytes, lasting }, async (temporary) => {
    try {
      await rename(temporary, path);
    } catch (error) {
      if (codeOf(error) !== "EISDIR") throw error;
      await clearFolder(path);
      await rename(temporary, path);
    }
  });
}

/** False, and nothing changes, if the file exists. Of concurrent calls exactly one writes. */
export async function writeOnce(path: string, bytes: Bytes, { lasting = false }: Lasting = {}): Promise<boolean> {
  if (await exists(path)) {
    // Who wrote it may have died before it was synced.
    if (lasting) await Promise.all([path, dirname(path)].map(syncPath));
    return false;
  }
  let written = false;
  await throughTemporary(path, { bytes, lasting }, async (temporary) => {
    written = await placeOnce(temporary, path);
    await rm(temporary, { force: true });
  });
  return written;
}

/** Removes the file, if it exists, and then the empty folders above it, up to `root`. */
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

/** Removes the temporary files of killed processes in this folder, and then the empty folders above it. */
export async function removeLeftovers(folder: string, root: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile() && LEFTOVER.test(entry.name)) await removeWhole(join(folder, entry.name), root);
  }
}

/** Prefix of a random name whose length does not depend on the path. No key has a segment with this prefix. */
const TEMPORARY = ".l2mac-";
const LEFTOVER = /^\.l2mac-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

interface Writing {
  bytes: Bytes;
  lasting: boolean;
}

async function throughTemporary(
  path: string,
  writing: Writing,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`);
  try {
    await writeMakingParents(temporary, writing);
    await place(temporary);
    if (writing.lasting) await syncPath(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Another process may remove the empty folder before the file is in it. */
const PARENT_TRIES = 5;

async function writeMakingParents(path: string, { bytes, lasting }: Writing): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeFile(path, bytes, { flag: "wx", flush: lasting });
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tries === PARENT_TRIES) throw error;
      (lasting ? makeLastingFolder : makeFolder)(dirname(path));
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
    // A disk without hard links (exFAT): still atomic, but two concurrent calls may both write.
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

/** A folder without files, left by a killed process. A folder with files is kept, and is an error. */
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
