/** Reads a zip that any program may have written. Nothing of it is trusted: what cannot be read is named. */
import { unzipSync } from "fflate";
import { pickUpEntries, readEntry } from "./pack.ts";

export interface ZipContents {
  files: Map<string, Uint8Array>;
  /** Whose bytes are not what the zip itself says of them. */
  broken: string[];
}

/** Throws, with a sentence's end, where it is no zip, or holds more than `bytesAtMost`. */
export function readAnyZip(zip: Uint8Array, bytesAtMost: number): ZipContents {
  return readOwn(zip, bytesAtMost) ?? readForeign(zip, bytesAtMost);
}

/** As packs are laid out. Undefined: another program wrote it, or something besides contents was changed. */
function readOwn(zip: Uint8Array, bytesAtMost: number): ZipContents | undefined {
  const files = new Map<string, Uint8Array>();
  const broken: string[] = [];
  let entries: ReturnType<typeof pickUpEntries>;
  try {
    entries = pickUpEntries(zip);
  } catch {
    return undefined;
  }
  const add = limitOf(bytesAtMost);
  for (const { size, raw } of entries.values()) add(Math.max(size, raw.length));
  for (const [path, entry] of entries) {
    try {
      files.set(path, readEntry(entry));
    } catch {
      broken.push(path);
    }
  }
  return { files, broken };
}

function readForeign(zip: Uint8Array, bytesAtMost: number): ZipContents {
  const add = limitOf(bytesAtMost);
  // What is stored as it is takes `size`, whatever it says of itself.
  const filter = ({ size, originalSize }: { size: number; originalSize: number }): boolean => {
    add(Math.max(size, originalSize));
    return true;
  };
  const found = Object.entries(unzipSync(zip, { filter })).filter(([path]) => !path.endsWith("/"));
  return { files: new Map(found), broken: [] };
}

/** Far more than a delivery has; each costs time, also where it holds nothing. */
const ENTRIES = 100_000;

function limitOf(bytesAtMost: number): (size: number) => void {
  let [bytes, entries] = [0, 0];
  return (size) => {
    bytes += size;
    entries += 1;
    if (entries > ENTRIES) throw new Error(`it has more than ${ENTRIES} entries`);
    if (bytes > bytesAtMost) throw new Error(`unpacked it would have ${bytes} bytes`);
  };
}
