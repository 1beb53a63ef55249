/** A run's tree on disk, laid from its pack and kept up by what changes: a turn costs what it changed. */
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Change, EvaluationRequest } from "../core/ports.ts";
import { changeEntries, changesBetween, type PackEntries, pickUpEntries, readEntry, readSome } from "../pack/pack.ts";

export interface WorkTree {
  /** Answers the folder in which the tree now lies. */
  lay(base: EvaluationRequest["base"], changes: Change[]): Promise<string>;
  /** What the base that was laid last holds of these files. */
  accepted(paths: string[]): Map<string, Uint8Array>;
}

/** What this process has laid: another process may have left anything. */
interface Laid {
  key: string;
  /** The files of its base, not inflated. */
  base: PackEntries;
  /** By path, the digest of the change that lies there. */
  changes: Map<string, string>;
}

export function createWorkTree(folder: string): WorkTree {
  const tree = join(resolve(folder), "tree");
  let laid: Laid | undefined;

  async function rebuild({ key, load }: EvaluationRequest["base"]): Promise<Laid> {
    laid = undefined;
    const base = pickUpEntries(await load());
    await rm(tree, { recursive: true, force: true });
    await makeFolder(tree);
    for (const [path, entry] of base) await put(tree, path, readEntry(entry));
    return { key, base, changes: new Map() };
  }

  /** The next pack differs from the last by what an instruction changed, most of which lies there already. */
  async function rebase(from: Laid, next: EvaluationRequest["base"]): Promise<Laid> {
    const { changed, base } = await basedOn(from.base, { was: from.key, next });
    const between = new Map(changed.map((change) => [change.path, change]));
    const undone = [...from.changes.keys()].filter((path) => !between.has(path));
    const fresh = [...between.values()].filter((change) => from.changes.get(change.path) !== digestOf(change));
    await apply([...originals(base, undone), ...fresh]);
    return { key: next.key, base, changes: new Map() };
  }

  async function update(from: Laid, changes: Change[]): Promise<Laid> {
    const wanted = new Map(changes.map((change) => [change.path, digestOf(change)]));
    const undone = [...from.changes.keys()].filter((path) => !wanted.has(path));
    const fresh = changes.filter(({ path }) => from.changes.get(path) !== wanted.get(path));
    await apply([...originals(from.base, undone), ...fresh]);
    return { ...from, changes: wanted };
  }

  /** Deleted first: a path may become a folder, or a folder a path. */
  async function apply(changes: Change[]): Promise<void> {
    laid = undefined; // Until it is done nothing is certain.
    const inOrder = changes.toSorted((one, other) => Number(one.content !== null) - Number(other.content !== null));
    for (const { path, content } of inOrder) await (content ? put(tree, path, content) : remove(tree, path));
  }

  async function standing(base: EvaluationRequest["base"], changes: Change[]): Promise<Laid | undefined> {
    if (!laid || !(await isFolder(tree))) return undefined;
    try {
      return await update(laid.key === base.key ? laid : await rebase(laid, base), changes);
    } catch {
      // Damaged: something else is where a file should be. The tree is laid out again.
      return undefined;
    }
  }

  return {
    async lay(base, changes) {
      const folded = [...new Map(changes.map((change) => [change.path, change])).values()];
      laid = (await standing(base, folded)) ?? (await update(await rebuild(base), folded));
      return tree;
    },
    accepted: (paths) => (laid && paths.length > 0 ? readSome(laid.base, paths) : new Map()),
  };
}

/** The files of the next base, and what makes them of those of the last one: where its changes are known, these alone. */
async function basedOn(
  files: PackEntries,
  { was, next }: { was: string; next: EvaluationRequest["base"] },
): Promise<{ changed: Change[]; base: PackEntries }> {
  const known = await next.changesSince?.(was);
  if (known) return { changed: known, base: changeEntries(files, known) };
  const base = pickUpEntries(await next.load());
  return { changed: changesBetween(files, base), base };
}

/** What the base holds where a change is no longer wanted. */
function originals(base: PackEntries, paths: string[]): Change[] {
  const files = readSome(base, paths);
  return paths.map((path) => ({ path, content: files.get(path) ?? null }));
}

const digestOf = ({ content }: Change): string =>
  content === null ? "deleted" : createHash("sha256").update(content).digest("hex");

async function put(tree: string, path: string, content: Uint8Array): Promise<void> {
  const file = inside(tree, path);
  await makeFolder(dirname(file));
  await writeFile(file, content);
  if (isClosed()) await chmod(file, 0o644);
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined || !isClosed()) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, 0o755);
}

/** Checks may run as somebody else, who must be able to read whatever our own habits are. */
const isClosed = (): boolean => (process.umask() & 0o055) !== 0;

/** A folder that loses its last file goes too, as in every pack. */
async function remove(tree: string, path: string): Promise<void> {
  const file = inside(tree, path);
  await rm(file, { force: true });
  for (let folder = dirname(file); folder !== tree; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

/** Paths were checked where they came in. Should one have slipped through, it is not written. */
function inside(tree: string, path: string): string {
  const file = resolve(tree, path);
  if (!file.startsWith(tree + sep) || path.includes("\0")) throw new Error(`${JSON.stringify(path)} leaves the tree`);
  return file;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
