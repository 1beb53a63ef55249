/** The commit that a run's branch begins on: HEAD, or a commit of what was not committed yet. No ref is changed. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isPointer } from "../withhold.ts";
import { END_OF_STREAM, type ImportedChange, importedCommit, resetTo } from "./fast-import.ts";
import { withStoredLineEnds } from "./line-ends.ts";
import { askGit, runGit } from "./run-git.ts";
import { readBlobs, readStoredTree, type StoredTree } from "./stored-tree.ts";
import { entriesOf, type Tree } from "./tree-entries.ts";

/** The subject of a commit of what was not committed. */
export const UNCOMMITTED = "Keep uncommitted changes as the start of a run";

export interface StartState {
  /** Top of the working tree. */
  repository: string;
  /** The folder of it that the run works on; "" is all of it. */
  folder: string;
  head: string | undefined;
  /** What the run is shown. */
  tree: Tree;
  /** When it is, for a commit of what was not committed yet. */
  now: Date;
}

export interface StartCommit {
  /** Absent: nothing is committed, and nothing is there. */
  id: string | undefined;
  /** Files that differ from HEAD. */
  uncommitted: number;
}

export async function makeStartCommit(state: StartState): Promise<StartCommit> {
  const { repository, folder, head } = state;
  const hasFolder = head !== undefined && (folder === "" || (await hasTree(repository, `${head}:${folder}`)));
  const stored = hasFolder ? await readStoredTree(repository, head, folder) : new Map();
  const changes = [...(await writtenSince(state, stored)), ...(await deletedSince(state, stored))];
  if (changes.length === 0) return { id: head, uncommitted: 0 };
  const ref = `refs/l2mac/start-${process.pid}-${state.now.getTime()}`;
  const commit = {
    message: `${UNCOMMITTED}\n`,
    seconds: Math.floor(state.now.getTime() / 1000),
    changes: changes.map(({ path, ...rest }) => ({ path: folder === "" ? path : `${folder}/${path}`, ...rest })),
  };
  const begun = head === undefined ? [] : [resetTo(ref, head)];
  const stream = [...begun, ...importedCommit(ref, commit), END_OF_STREAM];
  await runGit(repository, ["fast-import", "--quiet", "--done"], stream);
  const id = await runGit(repository, ["rev-parse", "--verify", ref]);
  await runGit(repository, ["update-ref", "-d", ref]);
  return { id, uncommitted: changes.length };
}

const hasTree = async (repository: string, name: string): Promise<boolean> =>
  (await askGit(repository, ["cat-file", "-t", name])) === "tree";

/** Files that are new, or differ from what HEAD has by more than what Git converts on checkout. */
async function writtenSince({ repository, tree }: StartState, stored: StoredTree): Promise<ImportedChange[]> {
  const entries = entriesOf(tree);
  const known = [...entries.keys()].flatMap((path) => stored.get(path)?.id ?? []);
  const blobs = await readBlobs(repository, known);
  return [...entries].flatMap(([path, entry]): ImportedChange[] => {
    const before = stored.get(path);
    const bytes = before && blobs.get(before.id);
    const isSameKind = before !== undefined && (before.mode === "120000") === entry.isLink;
    // What is not in a partial clone was not changed here; a pointer stands for what lies in the working tree.
    if (isSameKind && (bytes === undefined || isPointer(new TextDecoder().decode(bytes.subarray(0, 2_000))))) return [];
    const content = entry.isLink ? entry.content : withStoredLineEnds(entry.content, bytes);
    if (isSameKind && bytes && Buffer.compare(bytes, content) === 0) return [];
    return [{ path, entry: { ...entry, content, isExecutable: before?.mode === "100755" } }];
  });
}

/** What HEAD has and the working tree does not; submodules that are not checked out stay. */
async function deletedSince({ repository, folder, tree }: StartState, stored: StoredTree): Promise<ImportedChange[]> {
  const entries = entriesOf(tree);
  const missing = [...stored].filter(([path, { mode }]) => mode !== "160000" && !entries.has(path));
  const checked = await Promise.all(
    missing.map(async ([path]) => ({ path, isThere: await isThere(join(repository, folder, path)) })),
  );
  return checked.flatMap(({ path, isThere }) => (isThere ? [] : [{ path }]));
}

const isThere = async (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
