/** A tree of a run as Git has it: files, and symbolic links as entries of their own. Pure. */
import { parentsOf } from "../../core/text/file-path.ts";
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

/**
 * Paths of a run are in Unicode's form NFC, and Git's are the bytes that somebody once typed. Answers entries under the
 * names that the stored files have, so that a change of one is no second file; what is new in a stored folder lies in it.
 */
export function createStoredNames(stored: Iterable<string>): (entries: TreeEntries) => TreeEntries {
  const exact = new Set<string>();
  const byForm = new Map<string, string>();
  for (const path of stored) {
    for (const name of [path, ...parentsOf(path)]) {
      exact.add(name);
      const form = name.normalize("NFC");
      if (form !== name) byForm.set(form, name);
    }
  }
  if (byForm.size === 0) return (entries) => entries;
  const nameOf = (path: string): string => {
    if (exact.has(path)) return path;
    const there = byForm.get(path);
    if (there !== undefined) return there;
    const at = path.lastIndexOf("/");
    return at === -1 ? path : `${nameOf(path.slice(0, at))}${path.slice(at)}`;
  };
  return (entries) => new Map([...entries].map(([path, entry]) => [nameOf(path), entry]));
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
