/** A tree of a run as Git has it: files, and symbolic links as entries of their own. Pure. */
import { LINKS_FILE, linksIn } from "../../core/text/tree-links.ts";

export type Tree = ReadonlyMap<string, Uint8Array>;

export interface TreeEntry {
  isLink: boolean;
  content: Uint8Array;
}

export type TreeEntries = ReadonlyMap<string, TreeEntry>;

export interface EntryChange {
  path: string;
  /** Absent: it is deleted. */
  entry?: TreeEntry;
}

export function entriesOf(tree: Tree): TreeEntries {
  const entries = new Map<string, TreeEntry>();
  for (const [path, content] of tree) if (path !== LINKS_FILE) entries.set(path, { isLink: false, content });
  const list = tree.get(LINKS_FILE);
  for (const { path, target } of list ? linksIn(new TextDecoder().decode(list), entries.keys()) : [])
    entries.set(path, { isLink: true, content: new TextEncoder().encode(target) });
  return entries;
}

/** What leads from one to the other, sorted by path; deletions come first, as a file can become a folder. */
export function changesBetween(before: TreeEntries, after: TreeEntries): EntryChange[] {
  const deleted = [...before.keys()].filter((path) => !after.has(path)).sort();
  const written = [...after].filter(([path, entry]) => !isSame(before.get(path), entry));
  return [
    ...deleted.map((path) => ({ path })),
    ...written.map(([path, entry]) => ({ path, entry })).sort((a, b) => (a.path < b.path ? -1 : 1)),
  ];
}

const isSame = (one: TreeEntry | undefined, other: TreeEntry): boolean =>
  one !== undefined && one.isLink === other.isLink && Buffer.compare(one.content, other.content) === 0;
