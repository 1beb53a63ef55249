/** A pack: the reproducible zip of a whole tree. Its bytes follow from the tree, whatever way led there. */
import { deflateSync, inflateSync } from "fflate";
import { Damaged } from "../core/errors.ts";
import type { Change } from "../core/ports.ts";
import { crc32 } from "./crc32.ts";
import { headerBytesOf, layOut, locate, type PackEntry, pickUp } from "./layout.ts";

/** The files of a tree by path, each as it lies in a pack: a view into its bytes, inflated only where it is read. */
export type PackEntries = Map<string, PackEntry>;

export const pickUpEntries = (pack: Uint8Array): PackEntries =>
  undamaged(() => {
    const entries = pickUp(pack);
    const byPath = new Map(entries.map((entry) => [entry.path, entry]));
    if (byPath.size < entries.length) throw new Error("it has a path twice");
    return byPath;
  });

/** Files by path, each with its bytes or as it lies in a pack. */
export type TreeFiles = Map<string, Uint8Array | PackEntry>;

export const entriesFrom = (files: TreeFiles): PackEntries =>
  new Map(
    [...files].map(([path, file]) => [path, file instanceof Uint8Array ? entryOf(path, file) : { ...file, path }]),
  );

/** One file, checked. */
export const readEntry = (entry: PackEntry): Uint8Array => undamaged(() => contentOf(entry));

export const layOutEntries = (entries: PackEntries): Uint8Array => layOut([...entries.values()].sort(byPath));

/** In place. What the last of several changes overrides is not even deflated. */
export function changeEntries(entries: PackEntries, changes: Change[]): PackEntries {
  for (const { path, content } of foldedByPath(changes)) {
    if (content) entries.set(path, entryOf(path, content));
    else entries.delete(path);
  }
  return entries;
}

/** The pack after the changes. What did not change is taken over as it lies in the previous pack, still deflated. */
export const packTree = (previous: Uint8Array | undefined, changes: Change[]): Uint8Array =>
  layOutEntries(changeEntries(previous ? pickUpEntries(previous) : new Map(), changes));

/** Every file with its bytes, each checked. */
export const unpackTree = (pack: Uint8Array): Map<string, Uint8Array> => readEntries(pickUpEntries(pack));

export const readEntries = (entries: PackEntries): Map<string, Uint8Array> =>
  new Map([...entries].map(([path, entry]) => [path, readEntry(entry)]));

/** Only the files that are asked for, as far as they are there: the others are not inflated. */
export const unpackFiles = (pack: Uint8Array, paths: string[]): Map<string, Uint8Array> =>
  readSome(pickUpEntries(pack), paths);

export const readSome = (entries: PackEntries, paths: string[]): Map<string, Uint8Array> =>
  new Map(
    paths.flatMap((path) => {
      const entry = entries.get(path);
      return entry ? [[path, readEntry(entry)] as const] : [];
    }),
  );

/** What leads from one tree to the next. What lies in both as the same bytes is not even inflated. */
export function changesBetween(before: PackEntries, after: PackEntries): Change[] {
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const changed = [...after.values()].filter((entry) => !isSame(before.get(entry.path), entry));
  return [
    ...gone.map((path) => ({ path, content: null })),
    ...changed.map((entry) => ({ path: entry.path, content: readEntry(entry) })),
  ];
}

/** As it lies in its pack, whatever its name. */
export function isSame(one: PackEntry | undefined, other: PackEntry): boolean {
  if (one?.crc !== other.crc || one.size !== other.size || one.raw.length !== other.raw.length) return false;
  return one.deflated === other.deflated && one.raw.every((byte, index) => byte === other.raw[index]);
}

/** Paths and sizes, from the directory alone. */
export function entriesOf(pack: Uint8Array): { path: string; bytes: number }[] {
  return undamaged(() => locate(pack).map(({ path, size }) => ({ path, bytes: size })));
}

/** Of several changes to a path the last counts: what it overrides need not be deflated. */
const foldedByPath = (changes: Change[]): Iterable<Change> =>
  new Map(changes.map((change) => [change.path, change])).values();

/** By code unit, as JavaScript compares. */
const byPath = (one: PackEntry, other: PackEntry): number => (one.path < other.path ? -1 : 1);

/** Part of the format: another level, or another version of the library, may give other bytes for the same tree. */
const LEVEL = 6;

export const entryOf = (path: string, content: Uint8Array): PackEntry => ({ path, ...deflatedOf(content) });

/** Contents never change, and a tree is measured before it is packed. */
const deflatedBefore = new WeakMap<Uint8Array, Omit<PackEntry, "path">>();

function deflatedOf(content: Uint8Array): Omit<PackEntry, "path"> {
  const before = deflatedBefore.get(content);
  if (before) return before;
  const packed = deflateSync(content, { level: LEVEL });
  const deflated = packed.length < content.length;
  const entry = { size: content.length, crc: crc32(content), deflated, raw: deflated ? packed : content };
  deflatedBefore.set(content, entry);
  return entry;
}

/** By how much a file makes its pack larger. */
export const packedBytesOf = (path: string, file: Uint8Array | PackEntry): number =>
  headerBytesOf(path) + (file instanceof Uint8Array ? deflatedOf(file) : file).raw.length;

/** No deflated byte stands for more than this. */
const DEFLATE_RATIO = 1032;

/** Checked: ten bytes that hold gigabytes are inflated no further than the size that they name. */
export function contentOf({ path, size, crc, deflated, raw }: PackEntry): Uint8Array {
  if (size > (deflated ? raw.length * DEFLATE_RATIO : raw.length)) throw new Error(`${path} cannot have its size`);
  const content = deflated ? inflate(raw, size) : raw.slice();
  if (content?.length !== size || crc32(content) !== crc) throw new Error(`${path} is not what its header says`);
  return content;
}

function inflate(raw: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // What is longer than it says fills the last byte, too.
    return inflateSync(raw, { out: new Uint8Array(size + 1) });
  } catch {
    return undefined;
  }
}

function undamaged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Damaged(`This pack is damaged: ${why}.`, { cause: error });
  }
}
