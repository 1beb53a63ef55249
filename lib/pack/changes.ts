/** A pack of changes: what one step did to the tree, so that a step costs what it changed. It is a zip like every pack. */
import * as z from "zod";
import { Damaged, Unreadable } from "../core/errors.ts";
import type { PackEntry } from "./layout.ts";
import { entryOf, layOutEntries, type PackEntries, pickUpEntries, readEntry } from "./pack.ts";

const Manifest = z.object({
  format: z.literal(1),
  /** The pack before this one, by its number and the hash of its stored bytes. */
  base: z.object({ number: z.number().int(), sha256: z.string() }),
  removed: z.array(z.string()),
  /** Of the whole pack of this step, where there was one: rebuilding it gives the same bytes. */
  whole: z.object({ bytes: z.number().int(), sha256: z.string() }).optional(),
});

export interface PackChanges extends z.infer<typeof Manifest> {
  /** The files that were written, by path. */
  entries: PackEntries;
}

const MANIFEST = "changes.json";
/** The folder of the files, so that none of them has the manifest's name. */
const FILES = "files/";

export function packChanges({ entries, ...manifest }: Omit<PackChanges, "format">): Uint8Array {
  const described = new TextEncoder().encode(`${JSON.stringify({ format: 1, ...manifest })}\n`);
  const stored = [...entries.values()].map((entry) => ({ ...entry, path: FILES + entry.path }));
  return layOutEntries(byPath([entryOf(MANIFEST, described), ...stored]));
}

export function readChanges(pack: Uint8Array): PackChanges {
  const stored = pickUpEntries(pack);
  const manifest = manifestIn(stored.get(MANIFEST));
  stored.delete(MANIFEST);
  const entries = [...stored.values()].map((entry) => ({ ...entry, path: entry.path.slice(FILES.length) }));
  return { ...manifest, entries: byPath(entries) };
}

function manifestIn(described: PackEntry | undefined): z.infer<typeof Manifest> {
  if (!described) throw new Damaged("it does not say what it changes", {});
  const said: unknown = JSON.parse(new TextDecoder().decode(readEntry(described)));
  const { format } = z.object({ format: z.number() }).parse(said);
  if (format !== 1) throw new Unreadable(`it is of format ${format}, and this version reads 1`, {});
  return Manifest.parse(said);
}

const byPath = (entries: PackEntry[]): PackEntries => new Map(entries.map((entry) => [entry.path, entry]));

/** In place. */
export function applyChanges(tree: PackEntries, { removed, entries }: Pick<PackChanges, "removed" | "entries">): void {
  for (const path of removed) tree.delete(path);
  for (const [path, entry] of entries) tree.set(path, entry);
}
