/** The commits of a run as objects, on the commit that it started from or on nothing: the ids that `l2mac git --out` gives. Pure. */
import { GitError, type GitStep } from "../../lib/core/git/servers.ts";
import { stampAt } from "../../lib/files/git/fast-import.ts";
import {
  changesBetween,
  createStoredNames,
  type EntryChange,
  entriesOf,
  type Tree,
} from "../../lib/files/git/tree-entries.ts";
import { commitOf, FOLDER, type GitObject, type HashName, idOf, LINK, type TreeItem, treeOf } from "./objects.ts";
import type { Outline } from "./outline.ts";

export interface StepChain {
  hash: HashName;
  start?: { commit: string; outline: Outline } | undefined;
  before: Tree;
  steps: AsyncIterable<GitStep> | Iterable<GitStep>;
}

export interface CommittedSteps {
  /** The last commit; absent: there is no step. */
  tip?: string;
  steps: number;
  kept: string[];
  /** What the server does not have yet. */
  objects: GitObject[];
}

export async function commitSteps({ hash, start, before, steps }: StepChain): Promise<CommittedSteps> {
  const stored = start?.outline.items ?? new Map<string, TreeItem>();
  const writer = createWriter(hash);
  const root = folderOf(stored);
  if (start && writer.skip(root) !== start.outline.tree)
    throw new GitError("the tree of its commit is in no form that commits can be made from", "refused");
  for (const { id } of stored.values()) writer.known(id);
  const named = createStoredNames(stored.keys());
  const seen = named(entriesOf(before));
  const unseen = createUnseen([...stored.keys()].filter((path) => !seen.has(path)));
  const kept = new Set<string>();
  let state = start ? seen : new Map();
  let tip = start?.commit;
  let count = 0;
  for await (const { message, at, tree } of steps) {
    const after = named(entriesOf(tree));
    for (const change of changesBetween(state, after)) {
      if (unseen(change.path)) kept.add(change.path);
      else apply(root, change, { stored, write: writer.write });
    }
    const seconds = Math.floor(Date.parse(at) / 1_000);
    tip = writer.write(commitOf({ tree: writer.tree(root), parent: tip, stamp: stampAt(seconds), message }));
    state = after;
    count += 1;
  }
  return {
    ...(tip === undefined || count === 0 ? {} : { tip }),
    steps: count,
    kept: [...kept],
    objects: writer.objects,
  };
}

interface Folder {
  items: Map<string, TreeItem | Folder>;
  /** Of the tree as it was last written; absent: something in it has changed. */
  id?: string | undefined;
}

const isFolder = (item: TreeItem | Folder | undefined): item is Folder => item !== undefined && "items" in item;

function folderOf(items: ReadonlyMap<string, TreeItem>): Folder {
  const root: Folder = { items: new Map() };
  for (const [path, item] of items) put(root, path, item);
  return root;
}

/** Absent: it is removed. */
function put(root: Folder, path: string, item: TreeItem | undefined): void {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  let folder = root;
  folder.id = undefined;
  for (const part of parts) {
    const below = folder.items.get(part);
    const next: Folder = isFolder(below) ? below : { items: new Map() };
    if (next !== below) folder.items.set(part, next);
    next.id = undefined;
    folder = next;
  }
  if (item) folder.items.set(name, item);
  else folder.items.delete(name);
}

interface ApplyParts {
  stored: ReadonlyMap<string, TreeItem>;
  write: (object: GitObject) => string;
}

function apply(root: Folder, { path, entry }: EntryChange, { stored, write }: ApplyParts): void {
  if (!entry) {
    put(root, path, undefined);
    return;
  }
  const mode = entry.isLink ? LINK : stored.get(path)?.mode === "100755" ? "100755" : "100644";
  put(root, path, { mode, id: write({ type: "blob", content: entry.content }) });
}

function createWriter(hash: HashName) {
  const written = new Set<string>();
  const objects: GitObject[] = [];
  const write = (object: GitObject): string => {
    const id = idOf(object, hash);
    if (!written.has(id)) objects.push(object);
    written.add(id);
    return id;
  };
  const treeId = (folder: Folder, name: (object: GitObject) => string): string => {
    if (folder.id !== undefined) return folder.id;
    const items = new Map<string, TreeItem>();
    for (const [part, item] of folder.items) {
      if (!isFolder(item)) items.set(part, item);
      // Git has no empty folders.
      else if (isFilled(item)) items.set(part, { mode: FOLDER, id: treeId(item, name) });
    }
    folder.id = name(treeOf(items));
    return folder.id;
  };
  const skipped = (object: GitObject): string => {
    const id = idOf(object, hash);
    written.add(id);
    return id;
  };
  return {
    objects,
    write,
    known: (id: string): void => void written.add(id),
    tree: (folder: Folder): string => treeId(folder, write),
    /** The server has it. */
    skip: (folder: Folder): string => treeId(folder, skipped),
  };
}

const isFilled = ({ items }: Folder): boolean => [...items.values()].some((item) => !isFolder(item) || isFilled(item));

/** Whether a path is, or lies in or above, something that the run was not shown. */
function createUnseen(paths: string[]): (path: string) => boolean {
  const unseen = new Set(paths);
  const above = new Set(paths.flatMap(foldersAbove));
  return (path) => unseen.has(path) || above.has(path) || foldersAbove(path).some((folder) => unseen.has(folder));
}

const foldersAbove = (path: string): string[] => {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
};
