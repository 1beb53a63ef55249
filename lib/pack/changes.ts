/** A pack of changes: what one step did to the tree, so that a step costs what it changed. It is a zip like every pack. */
import { Damaged } from "../core/errors.ts";
import { type ChangesManifest, manifestText, readManifest } from "../core/store/changes-manifest.ts";
import type { PackEntry } from "./layout.ts";
import { entryOf, layOutEntries, type PackEntries, pickUpEntries, readEntry } from "./pack.ts";

export interface PackChanges extends ChangesManifest {
  /** The files that were written, by path. */
  entries: PackEntries;
}

const MANIFEST = "changes.json";
/** The folder of the files, so that none of them has the manifest's name. */
const FILES = "files/";

export function packChanges({ entries, ...manifest }: Omit<PackChanges, "format">): Uint8Array {
  const described = new TextEncoder().encode(manifestText(manifest));
  const stored = [...entries.values()].map((entry) => ({ ...entry, path: FILES + entry.path }));
  return layOutEntries(byPath([entryOf(MANIFEST, described), ...stored]));
}

export function readChanges(pack: Uint8Array): PackChanges {
  const stored = pickUpEntries(pack);
  const described = stored.get(MANIFEST);
  if (!described) throw new Damaged("it does not say what it changes", {});
  const manifest = readManifest(new TextDecoder().decode(readEntry(described)));
  stored.delete(MANIFEST);
  const entries = [...stored.values()].map((entry) => ({ ...entry, path: entry.path.slice(FILES.length) }));
  return { ...manifest, entries: byPath(entries) };
}

const byPath = (entries: PackEntry[]): PackEntries => new Map(entries.map((entry) => [entry.path, entry]));

export type ChangedFiles = Pick<PackChanges, "removed" | "entries">;

/** What both do, one after the other. */
export function joinChanges(first: ChangedFiles, second: ChangedFiles): ChangedFiles {
  const entries = new Map(first.entries);
  applyChanges(entries, second);
  const removed = new Set([...first.removed, ...second.removed]);
  for (const path of entries.keys()) removed.delete(path);
  return { removed: [...removed], entries };
}

/** In place. */
export function applyChanges(tree: PackEntries, { removed, entries }: ChangedFiles): void {
  for (const path of removed) tree.delete(path);
  for (const [path, entry] of entries) tree.set(path, entry);
}

/** Of a whole pack and of changes after it, in their order: the zip of the tree. */
export function packOf([whole, ...changes]: Uint8Array[]): Uint8Array {
  if (!whole) throw new Damaged("There is no pack.", {});
  if (changes.length === 0) return whole;
  const tree = pickUpEntries(whole);
  for (const each of changes) applyChanges(tree, readChanges(each));
  return layOutEntries(tree);
}
