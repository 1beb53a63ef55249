/** Syncs a folder: after that a power cut does not undo what was made, renamed or linked in it. */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { codeOf } from "./storage-errors.ts";

export function syncFolder(path: string): void {
  if (!CAN_OPEN) return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!FILES_ALONE.has(codeOf(error))) throw error;
  } finally {
    closeSync(folder);
  }
}

/** A folder, or a file that is there already, while others are synced too. */
export async function syncPath(path: string): Promise<void> {
  if (!CAN_OPEN) return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!FILES_ALONE.has(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Windows opens no folders, and syncs no file that is open for reading. */
const CAN_OPEN = process.platform !== "win32";

/** Some file systems, such as those of other computers, sync no folders. */
const FILES_ALONE = new Set(["EINVAL", "ENOTSUP"]);
