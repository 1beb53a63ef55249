/**
 * What registries answered, by the hash of its bytes. Only this process writes here, nothing that an installer runs;
 * what is read is hashed again, and what is no longer what it was counts for nothing.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";

const StoredDownload = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.string(),
  /** The address that it came from in the end. */
  from: z.string(),
  /** Absent: it never changes. */
  etag: z.string().optional(),
});
export type StoredDownload = z.infer<typeof StoredDownload>;

export interface DownloadStore {
  /** Undefined: it is not there, or not what it was. */
  find(key: string): Promise<(StoredDownload & { path: string }) | undefined>;
  /** Passes the bytes on, and keeps them if all of them came. */
  keeping(
    key: string,
    about: Omit<StoredDownload, "sha256">,
  ): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
}

/** `parts`: whatever decides about an answer. */
export const storeKey = (parts: string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

export function createDownloadStore(folder: string, newId: () => string): DownloadStore {
  const recordOf = (key: string): string => join(folder, `${key}.json`);
  const bodyOf = (sha256: string): string => join(folder, sha256);
  return {
    async find(key) {
      try {
        const kept = StoredDownload.parse(JSON.parse(await readFile(recordOf(key), "utf8")));
        const hash = createHash("sha256");
        await pipeline(createReadStream(bodyOf(kept.sha256)), hash);
        if (hash.digest("hex") === kept.sha256) return { ...kept, path: bodyOf(kept.sha256) };
        await rm(bodyOf(kept.sha256), { force: true });
      } catch {
        // It is as if it were not there.
      }
      return undefined;
    },
    keeping(key, about) {
      return async function* keep(source) {
        await mkdir(folder, { recursive: true });
        const draft = join(folder, `${newId()}.draft`);
        const file = createWriteStream(draft);
        const hash = createHash("sha256");
        let isWhole = false;
        try {
          for await (const chunk of source) {
            hash.update(chunk);
            if (!file.write(chunk)) await new Promise<void>((resolve) => file.once("drain", () => resolve()));
            yield chunk;
          }
          isWhole = true;
        } finally {
          await new Promise<void>((resolve) => file.end(() => resolve()));
          if (isWhole) await settle(draft, { ...about, sha256: hash.digest("hex") });
          else await rm(draft, { force: true });
        }
      };
      async function settle(draft: string, kept: StoredDownload): Promise<void> {
        await rename(draft, bodyOf(kept.sha256));
        const record = `${draft}.json`;
        await writeFile(record, JSON.stringify(kept));
        await rename(record, recordOf(key));
      }
    },
  };
}
