/** A file store in memory: the scratch copy of a replay. */
import type { FileStore } from "../core/ports.ts";
import { assertStoreKey } from "../core/store/store-key.ts";

export function createMemoryFiles(): FileStore {
  const files = new Map<string, Uint8Array>();
  return {
    async put(key, bytes) {
      assertStoreKey(key);
      files.set(key, bytes.slice());
    },
    async putOnce(key, bytes) {
      assertStoreKey(key);
      if (!files.has(key)) files.set(key, bytes.slice());
    },
    async get(key) {
      assertStoreKey(key);
      return files.get(key)?.slice();
    },
    async remove(key) {
      assertStoreKey(key);
      files.delete(key);
    },
    async removeAll(prefix) {
      const folder = prefix.replace(/\/$/, "");
      assertStoreKey(folder);
      for (const key of files.keys()) if (key.startsWith(`${folder}/`)) files.delete(key);
      return true;
    },
  };
}
