/** Reads a zip that any program may have written. Nothing of it is trusted: what cannot be read is named. */
import { contentOf, isPack } from "./read-zip.ts";
import { entriesInZip } from "./zip-directory.ts";

export interface ZipContents {
  files: Map<string, Uint8Array>;
  /** Whose bytes are not what the zip itself says of them. */
  broken: string[];
  /** It is laid out as packs are, with nothing besides: every program reads the same files from it. */
  isPack: boolean;
}

/** Throws, with a sentence's end, where it is no zip, or holds more than `bytesAtMost`. */
export function readAnyZip(zip: Uint8Array, bytesAtMost: number): ZipContents {
  const isOwn = isPack(zip);
  // Packs have no folders: there, such a name is that of a file.
  const entries = [...entriesInZip(zip)].filter(({ name }) => isOwn || !name.endsWith("/"));
  // What is stored as it is takes `rawSize`, whatever it says of itself.
  const bytes = entries.reduce((sum, { size, rawSize }) => sum + Math.max(size, rawSize), 0);
  if (bytes > bytesAtMost) throw new Error(`unpacked it would have ${bytes} bytes`);
  const files = new Map<string, Uint8Array>();
  const broken = new Set<string>();
  for (const entry of entries) {
    const { name } = entry;
    if (files.has(name) || broken.has(name)) throw new Error(`${name} is in it twice`);
    try {
      files.set(name, contentOf(zip, entry));
    } catch {
      broken.add(name);
    }
  }
  return { files, broken: [...broken], isPack: isOwn };
}
