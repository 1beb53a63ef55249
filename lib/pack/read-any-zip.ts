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
  refuseLarge(
    [...entries.values()].map(({ size }) => size),
    bytesAtMost,
  );
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
  const sizes: number[] = [];
  const filter = ({ originalSize }: { originalSize: number }): boolean => {
    sizes.push(originalSize);
    refuseLarge(sizes, bytesAtMost);
    return true;
  };
  const found = Object.entries(unzipSync(zip, { filter })).filter(([path]) => !path.endsWith("/"));
  return { files: new Map(found), broken: [] };
}

function refuseLarge(sizes: number[], bytesAtMost: number): void {
  const bytes = sizes.reduce((whole, each) => whole + each, 0);
  if (bytes > bytesAtMost) throw new Error(`unpacked it would have ${bytes} bytes`);
}
