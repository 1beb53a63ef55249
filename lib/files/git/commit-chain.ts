/** Writes one commit for each accepted step, on a start commit or on nothing. Ids depend on the run alone. */
import { END_OF_STREAM, type ImportedChange, importedCommit, resetTo } from "./fast-import.ts";
import { withStoredLineEnds } from "./line-ends.ts";
import { runGit } from "./run-git.ts";
import { readBlobs, readStoredTree, type StoredTree } from "./stored-tree.ts";
import {
  changesBetween,
  createStoredNames,
  type EntryChange,
  entriesOf,
  type Tree,
  type TreeEntries,
} from "./tree-entries.ts";

export interface ChainLink {
  message: string;
  /** When the step was accepted. */
  at: string;
  tree: Tree;
}

export interface Chain {
  repository: string;
  /** Gets the last commit. */
  ref: string;
  /** The commit that it begins on, and the folder of it that the run's tree is. */
  start?: string | undefined;
  folder?: string | undefined;
  /** The run's tree before its first step. */
  before: Tree;
  links: AsyncIterable<ChainLink> | Iterable<ChainLink>;
}

export interface WrittenChain {
  /** The last commit; absent: there is no start and no step. */
  tip?: string;
  /** Paths that only the start commit has, which the run was not shown: they stay as they are. */
  kept: string[];
}

export async function writeChain(chain: Chain): Promise<WrittenChain> {
  const { repository, ref, start } = chain;
  const stored = start === undefined ? new Map() : await readStoredTree(repository, start, chain.folder);
  const named = createStoredNames(stored.keys());
  const seen = named(entriesOf(chain.before));
  const writer = await createWriter(chain, { stored, seen });
  const kept = new Set<string>();
  let commits = 0;
  async function* stream(): AsyncIterable<Uint8Array | string> {
    if (start !== undefined) yield resetTo(ref, start);
    let before = seen;
    for await (const { message, at, tree } of chain.links) {
      const after = named(entriesOf(tree));
      const changes = changesBetween(before, after).flatMap((change) => {
        if (!writer.isUnseen(change.path)) return [writer.imported(change)];
        kept.add(change.path);
        return [];
      });
      yield* importedCommit(ref, { message, seconds: Math.floor(Date.parse(at) / 1000), changes });
      before = after;
      commits += 1;
    }
    yield END_OF_STREAM;
  }
  await runGit(repository, ["fast-import", "--quiet", "--done", "--force"], stream());
  if (start === undefined && commits === 0) return { kept: [] };
  return { tip: await runGit(repository, ["rev-parse", "--verify", `${ref}^{commit}`]), kept: [...kept] };
}

interface ChainWriter {
  /** Whether the path is, or lies in or above, something of the start commit that the run was not shown. */
  isUnseen(path: string): boolean;
  imported(change: EntryChange): ImportedChange;
}

async function createWriter(
  { repository, folder = "" }: Chain,
  { stored, seen }: { stored: StoredTree; seen: TreeEntries },
): Promise<ChainWriter> {
  const unseen = new Set([...stored.keys()].filter((path) => !seen.has(path)));
  const above = new Set([...unseen].flatMap(foldersOf));
  const blobs = await readBlobs(repository, convertibleIds(seen, stored));
  const storedBytes = (path: string): Uint8Array | undefined => blobs.get(stored.get(path)?.id ?? "");
  return {
    isUnseen: (path) => unseen.has(path) || above.has(path) || foldersOf(path).some((parent) => unseen.has(parent)),
    imported({ path, entry }) {
      const whole = folder === "" ? path : `${folder}/${path}`;
      if (!entry) return { path: whole };
      const content = entry.isLink ? entry.content : withStoredLineEnds(entry.content, storedBytes(path));
      return { path: whole, entry: { ...entry, content, isExecutable: stored.get(path)?.mode === "100755" } };
    },
  };
}

/** Only what has CR LF in the working tree can have been converted. */
const convertibleIds = (seen: TreeEntries, stored: StoredTree): string[] =>
  [...seen].flatMap(([path, { content }]) => {
    const id = stored.get(path)?.id;
    return id !== undefined && content.includes(13) ? [id] : [];
  });

const foldersOf = (path: string): string[] => {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
};
