/** A file store in memory with a folder for each run, so that what a run stored goes with it. */
import type { FileStore } from "../../lib/core/ports.ts";

export interface Folders extends FileStore {
  drop(runId: string): void;
}

export function createFolders(): Folders {
  const folders = new Map<string, Map<string, Uint8Array>>();
  const folderOf = (key: string): Map<string, Uint8Array> => {
    const [, runId = ""] = key.split("/");
    const folder = folders.get(runId) ?? new Map();
    folders.set(runId, folder);
    return folder;
  };
  return {
    async put(key, bytes) {
      folderOf(key).set(key, bytes.slice());
    },
    async putOnce(key, bytes) {
      const folder = folderOf(key);
      if (!folder.has(key)) folder.set(key, bytes.slice());
    },
    get: async (key) => folderOf(key).get(key)?.slice(),
    async remove(key) {
      folderOf(key).delete(key);
    },
    async removeAll(prefix) {
      const folder = folderOf(prefix);
      for (const key of folder.keys()) if (key.startsWith(prefix)) folder.delete(key);
      return true;
    },
    drop(runId) {
      folders.delete(runId);
    },
  };
}
