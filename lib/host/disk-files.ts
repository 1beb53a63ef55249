/** The file store in a folder: a key is a path below it. Nothing that was written is half there, or gone after a power cut. */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { FileStore } from "../core/ports.ts";
import { assertStoreKey } from "../core/store/store-key.ts";
import { type Lasting, removeWhole, writeOnce, writeWhole } from "./atomic-file.ts";
import { readRegular } from "./regular-file.ts";
import { codeOf, explainFile } from "./storage-errors.ts";

export function createDiskFiles(folder: string, how: Lasting = LASTING): FileStore {
  const root = resolve(folder);
  return {
    put: (key, bytes) => explained(key, root, (path) => writeWhole(path, bytes, how)),
    putOnce: (key, bytes) =>
      explained(key, root, async (path) => {
        if (!(await writeOnce(path, bytes, how)) && (await isTorn(path))) await writeWhole(path, bytes, how);
      }),
    get: (key) => explained(key, root, read),
    remove: (key) => explained(key, root, (path) => removeWhole(path, root)),
    removeAll: (prefix) => explained(prefix.replace(/\/$/, ""), root, removeFolder),
  };
}

/** The registry names what is written: it is on the disk before that. */
const LASTING: Lasting = { lasting: true };

async function explained<T>(key: string, root: string, work: (path: string) => Promise<T>): Promise<T> {
  assertStoreKey(key);
  const path = join(root, key);
  try {
    return await work(path);
  } catch (error) {
    throw explainFile(error, path);
  }
}

async function read(path: string): Promise<Uint8Array | undefined> {
  try {
    const { buffer, byteOffset, byteLength } = await readRegular(path);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    if (NOT_A_FILE.has(codeOf(error))) return undefined;
    throw error;
  }
}

/** A power cut can leave a file without its bytes. Of one that is named by its content this shows, and it is rewritten. */
async function isTorn(path: string): Promise<boolean> {
  const name = basename(path);
  if (!/^[0-9a-f]{64}$/.test(name)) return false;
  const bytes = await read(path);
  return bytes !== undefined && createHash("sha256").update(bytes).digest("hex") !== name;
}

const NOT_A_FILE = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

/** Somebody may still be writing into it: then it is not empty at first. */
const REMOVAL_TRIES = 5;

/** Links are removed, never followed. */
async function removeFolder(path: string): Promise<boolean> {
  await rm(path, { recursive: true, force: true, maxRetries: REMOVAL_TRIES });
  return true;
}
