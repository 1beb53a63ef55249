/** Files that are there wholly or not at all, whoever is killed when. */
import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Replaces what was there. Folders above are made. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  await throughTemporary(path, bytes, (temporary) => rename(temporary, path));
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

/** A temporary file beside the path, with a name that no key has and that does not grow with the path's. */
async function throughTemporary(
  path: string,
  bytes: Uint8Array | string,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `.l2mac-${randomUUID()}`);
  try {
    await writeMakingParents(temporary, bytes);
    await place(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeMakingParents(path: string, bytes: Uint8Array | string): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes, { flag: "wx" });
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

export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");
