/** Finds the files of a zip. Its names are foreign: who stores them checks them as paths. */
import { UserError } from "../core/errors.ts";
import { MiB } from "../core/limits.ts";
import { type FoundFiles, LEFT_OUT, refusedStart } from "./found-files.ts";
import { type PackEntry, pickUp } from "./layout.ts";
import { contentOf as contentOfPacked, entryOf } from "./pack.ts";
import { entriesInZip, rawOf, type ZipEntry } from "./zip-directory.ts";

/** No deflated byte stands for more than this. */
const DEFLATE_RATIO = 1032;
const STORE = 0;
const DEFLATE = 8;

export interface ZipFiles extends FoundFiles {
  /** By name, each checked, and packed: as it lies in the zip where that is a pack, or too large to be deflated again. */
  entries(): Map<string, PackEntry>;
}

export function findInZip(from: string, zip: Uint8Array): ZipFiles {
  const entries = refusing(from, () => wantedEntries(zip));
  return {
    files: [...entries.values()].map(({ name, size }) => ({ name, bytes: size })),
    leftOut: [],
    entries: () => refusing(from, () => packed(zip, entries)),
    read: async (except) => {
      const wanted = [...entries].filter(([name]) => !except?.has(name));
      return refusing(from, () => new Map(wanted.map(([name, entry]) => [name, contentOf(zip, entry)])));
    },
  };
}

/** Beyond this, deflating takes longer than an upload may. */
const DEFLATED_AGAIN_BYTES = 64 * MiB;

/** The bytes of a pack follow from its tree, so other programs' zips are deflated as ours are, unless they are large. */
function packed(zip: Uint8Array, entries: ReadonlyMap<string, ZipEntry>): Map<string, PackEntry> {
  const bytes = [...entries.values()].reduce((sum, { size }) => sum + size, 0);
  const isTakenOver = bytes > DEFLATED_AGAIN_BYTES || isPack(zip);
  return new Map(
    [...entries].map(([name, entry]) => {
      const content = contentOf(zip, entry);
      return [name, isTakenOver ? packedAs(zip, entry) : entryOf(name, content)];
    }),
  );
}

/** Whether it is laid out as packs are: every header is compared. */
export function isPack(zip: Uint8Array): boolean {
  try {
    pickUp(zip);
    return true;
  } catch {
    return false;
  }
}

function wantedEntries(zip: Uint8Array): Map<string, ZipEntry> {
  const wanted = new Map<string, ZipEntry>();
  for (const entry of entriesInZip(zip)) {
    const { name, size, rawSize } = entry;
    if (name.endsWith("/") || name.split("/").some((segment) => LEFT_OUT.has(segment))) continue;
    if (size > rawSize * DEFLATE_RATIO + 1) throw new Error(`${name} cannot have its size`);
    if (wanted.has(name)) throw new Error(`${name} is in it twice`);
    wanted.set(name, entry);
  }
  return wanted;
}

export function contentOf(zip: Uint8Array, entry: ZipEntry): Uint8Array {
  const { name, method, isEncrypted } = entry;
  if (isEncrypted) throw new Error(`${name} is encrypted`);
  if (method !== STORE && method !== DEFLATE) throw new Error(`${name} is packed in a way that is not known here`);
  return contentOfPacked(packedAs(zip, entry));
}

const packedAs = (zip: Uint8Array, entry: ZipEntry): PackEntry => {
  const { name, size, crc, method } = entry;
  return { path: name, size, crc, deflated: method === DEFLATE, raw: rawOf(zip, entry) };
};

function refusing<T>(from: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw refusedStart(`${from}: it is no zip file that can be read (${why}).`);
  }
}
