/** How entries lie in a pack: one after the other, then the directory. The same entries always give the same bytes. */
import {
  BYTES_AT_MOST,
  CENTRAL_BYTES,
  END_BYTES,
  ENTRIES_AT_MOST,
  type EntryHeader,
  LOCAL_BYTES,
  NAME_BYTES_AT_MOST,
  readCentral,
  readEnd,
  writeCentral,
  writeEnd,
  writeLocal,
} from "./zip-headers.ts";

/** One file of a pack; `raw` stands for it in the zip, stored or deflated, often a view into the pack before. */
export interface PackEntry {
  path: string;
  size: number;
  crc: number;
  deflated: boolean;
  raw: Uint8Array;
}

export type LocatedEntry = EntryHeader & { path: string; localAt: number };

type NamedEntry = PackEntry & { name: Uint8Array };

/** Entries come in the order in which they shall lie. */
export function layOut(entries: PackEntry[]): Uint8Array {
  const named = entries.map((entry) => ({ ...entry, name: nameOf(entry.path) }));
  const centralAt = named.reduce((sum, { name, raw }) => sum + LOCAL_BYTES + name.length + raw.length, 0);
  const bytes = new Uint8Array(centralAt + directoryBytes(named));
  assertFits(entries.length, bytes.length);
  const view = viewOf(bytes);
  let localAt = 0;
  for (const entry of named) {
    writeLocal(view, localAt, describe(entry));
    bytes.set(entry.name, localAt + LOCAL_BYTES);
    bytes.set(entry.raw, localAt + LOCAL_BYTES + entry.name.length);
    localAt += LOCAL_BYTES + entry.name.length + entry.raw.length;
  }
  writeDirectory(bytes.subarray(centralAt), named, centralAt);
  return bytes;
}

/** What a file takes of a pack, beside the bytes that stand for it. */
export const headerBytesOf = (path: string): number => LOCAL_BYTES + CENTRAL_BYTES + 2 * nameOf(path).length;

const describe = ({ size, crc, deflated, raw, name }: NamedEntry): EntryHeader => ({
  size,
  crc,
  deflated,
  rawSize: raw.length,
  nameSize: name.length,
});

const directoryBytes = (named: NamedEntry[]): number =>
  named.reduce((sum, { name }) => sum + CENTRAL_BYTES + name.length, END_BYTES);

/** `centralAt`: where in the pack it begins. */
function writeDirectory(directory: Uint8Array, named: NamedEntry[], centralAt: number): void {
  const view = viewOf(directory);
  let at = 0;
  let localAt = 0;
  for (const entry of named) {
    writeCentral(view, at, { ...describe(entry), localAt });
    directory.set(entry.name, at + CENTRAL_BYTES);
    at += CENTRAL_BYTES + entry.name.length;
    localAt += LOCAL_BYTES + entry.name.length + entry.raw.length;
  }
  writeEnd(view, at, { entries: named.length, at: centralAt, size: at });
}

/** A pack holds what a zip holds without its extension for large ones. */
export function assertFits(entries: number, bytes: number): void {
  if (entries > ENTRIES_AT_MOST) throw new Error(`A pack takes ${ENTRIES_AT_MOST} files; this tree has ${entries}.`);
  if (bytes > BYTES_AT_MOST) throw new Error(`A pack takes ${BYTES_AT_MOST} bytes; this one would have ${bytes}.`);
}

/** The directory of a pack. Says in words what is wrong with a damaged one. */
export function locate(pack: Uint8Array): LocatedEntry[] {
  const view = viewOf(pack);
  const { entries, at } = readEnd(view, pack.length - END_BYTES);
  const located: LocatedEntry[] = [];
  for (let index = 0, next = at; index < entries; index += 1) {
    const described = readCentral(view, next);
    const nameAt = next + CENTRAL_BYTES;
    next = nameAt + described.nameSize;
    located.push({ ...described, path: decoder.decode(pack.subarray(nameAt, next)) });
  }
  return located;
}

/** Entries with their bytes, of a pack that is laid out as we lay them out: every header is compared. */
export function pickUp(pack: Uint8Array): PackEntry[] {
  const located = locate(pack);
  const entries = located.map((entry) => {
    const { path, size, crc, deflated } = entry;
    return { path, size, crc, deflated, raw: pack.subarray(rawAt(entry), rawAt(entry) + entry.rawSize) };
  });
  if (!isLaidOut(pack, entries)) throw new Error("its headers do not fit its contents");
  return entries;
}

/** Only headers are written again: the contents of a large pack are never copied. */
function isLaidOut(pack: Uint8Array, entries: PackEntry[]): boolean {
  const named = entries.map((entry) => ({ ...entry, name: nameOf(entry.path) }));
  let localAt = 0;
  for (const entry of named) {
    const header = new Uint8Array(LOCAL_BYTES + entry.name.length);
    writeLocal(viewOf(header), 0, describe(entry));
    header.set(entry.name, LOCAL_BYTES);
    if (!isAt(pack, localAt, header)) return false;
    localAt += header.length + entry.raw.length;
  }
  const directory = new Uint8Array(directoryBytes(named));
  writeDirectory(directory, named, localAt);
  return localAt + directory.length === pack.length && isAt(pack, localAt, directory);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const rawAt = ({ localAt, nameSize }: LocatedEntry): number => localAt + LOCAL_BYTES + nameSize;

function isAt(pack: Uint8Array, at: number, expected: Uint8Array): boolean {
  return expected.every((byte, index) => byte === pack[at + index]);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function nameOf(path: string): Uint8Array {
  if (path === "" || !path.isWellFormed()) throw new Error(`${JSON.stringify(path)} cannot be the name of a file.`);
  const name = encoder.encode(path);
  if (name.length > NAME_BYTES_AT_MOST)
    throw new Error(`A path has ${name.length} bytes; a pack takes ${NAME_BYTES_AT_MOST}.`);
  return name;
}
