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

/** Entries come in the order in which they shall lie. */
export function layOut(entries: PackEntry[]): Uint8Array {
  const named = entries.map((entry) => ({ ...entry, name: nameOf(entry.path) }));
  const centralAt = named.reduce((sum, { name, raw }) => sum + LOCAL_BYTES + name.length + raw.length, 0);
  const endAt = named.reduce((sum, { name }) => sum + CENTRAL_BYTES + name.length, centralAt);
  assertFits(entries.length, endAt + END_BYTES);
  const bytes = new Uint8Array(endAt + END_BYTES);
  const view = viewOf(bytes);
  let localAt = 0;
  let directoryAt = centralAt;
  for (const { name, raw, size, crc, deflated } of named) {
    const described = { size, crc, deflated, rawSize: raw.length, nameSize: name.length, localAt };
    writeLocal(view, localAt, described);
    bytes.set(name, localAt + LOCAL_BYTES);
    bytes.set(raw, localAt + LOCAL_BYTES + name.length);
    localAt += LOCAL_BYTES + name.length + raw.length;
    writeCentral(view, directoryAt, described);
    bytes.set(name, directoryAt + CENTRAL_BYTES);
    directoryAt += CENTRAL_BYTES + name.length;
  }
  writeEnd(view, endAt, { entries: entries.length, at: centralAt });
  return bytes;
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
  const expected = layOut(entries);
  const directory: Range = { from: readEnd(viewOf(expected), expected.length - END_BYTES).at, to: expected.length };
  // The directory first: then the headers are known to lie within. The bytes in between were copied a moment ago.
  const compared = [directory, ...located.map((entry): Range => ({ from: entry.localAt, to: rawAt(entry) }))];
  if (expected.length !== pack.length || !compared.every((range) => isSame(expected, pack, range))) {
    throw new Error("its headers do not fit its contents");
  }
  return entries;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const rawAt = ({ localAt, nameSize }: LocatedEntry): number => localAt + LOCAL_BYTES + nameSize;

interface Range {
  from: number;
  to: number;
}

function isSame(one: Uint8Array, other: Uint8Array, { from, to }: Range): boolean {
  for (let index = from; index < to; index += 1) if (one[index] !== other[index]) return false;
  return true;
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
