/** Removes what generated code left, whatever it did to keep that from being removed. Nothing of it runs any more. */
import { randomUUID } from "node:crypto";
import { chmod, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await levelled(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
}

/** Far below the 4,096 bytes of the longest path that a system takes, with room for one more name. */
const PATH_BYTES = 3_000;

/** Gives every folder back the permissions that removing needs, and brings up what lies deeper than a path reaches. */
async function levelled(folder: string): Promise<void> {
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const name of await foldersIn(next)) left.push(await withinReach(join(next, name), folder));
  }
}

/** What was being removed when it failed may still be going. */
async function foldersIn(folder: string): Promise<string[]> {
  try {
    await chmod(folder, 0o700);
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

async function withinReach(path: string, folder: string): Promise<string> {
  if (Buffer.byteLength(path) < PATH_BYTES) return path;
  const nearer = join(folder, randomUUID());
  // A read-only folder cannot be moved, because its `..` entry changes.
  await chmod(path, 0o700);
  await rename(path, nearer);
  return nearer;
}
