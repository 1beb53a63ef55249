/** Finds the files of a zip. Its names are foreign: who stores them checks them as paths. */
import { Inflate } from "fflate";
import { UserError } from "../core/errors.ts";
import { MiB } from "../core/limits.ts";
import { crc32 } from "./crc32.ts";
import { type FoundFiles, LEFT_OUT, refusedStart } from "./found-files.ts";
import { type PackEntry, pickUp } from "./layout.ts";
import { entryOf } from "./pack.ts";
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
      const { size, crc, method } = entry;
      if (!isTakenOver) return [name, entryOf(name, content)];
      return [name, { path: name, size, crc, deflated: method === DEFLATE, raw: rawOf(zip, entry) }];
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
  const { name, method, isEncrypted, size, crc } = entry;
  if (isEncrypted) throw new Error(`${name} is encrypted`);
  if (method !== STORE && method !== DEFLATE) throw new Error(`${name} is packed in a way that is not known here`);
  const raw = rawOf(zip, entry);
  const content = method === STORE ? raw.slice() : inflated(raw, entry);
  if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is not what the zip says of it`);
  return content;
}

/** Inflated at once: what says ten bytes may hold gigabytes. */
const STEP_BYTES = 16 * 1024;

function inflated(raw: Uint8Array, { name, size }: ZipEntry): Uint8Array {
  const content = new Uint8Array(size);
  let at = 0;
  const inflate = new Inflate((chunk) => {
    if (at + chunk.length > size) throw new Error(`${name} is larger than the zip says`);
    content.set(chunk, at);
    at += chunk.length;
  });
  for (let from = 0; from < raw.length; from += STEP_BYTES)
    inflate.push(raw.subarray(from, from + STEP_BYTES), from + STEP_BYTES >= raw.length);
  return content.subarray(0, at);
}

function refusing<T>(from: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw refusedStart(`${from}: it is no zip file that can be read (${why}).`);
  }
}
