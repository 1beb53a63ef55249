/** A file store in memory: the scratch copy of a replay. */
import type { FileStore } from "../core/ports.ts";

export function createMemoryFiles(): FileStore {
  const files = new Map<string, Uint8Array>();
  return {
    async put(key, bytes) {
      files.set(key, bytes.slice());
    },
    async putOnce(key, bytes) {
      if (!files.has(key)) files.set(key, bytes.slice());
    },
    get: async (key) => files.get(key)?.slice(),
    async remove(key) {
      files.delete(key);
    },
    async removeAll(prefix) {
      for (const key of files.keys()) if (key.startsWith(prefix)) files.delete(key);
      return true;
    },
  };
}
