/** A run's tree on disk, laid from its pack and kept up by what changes: a turn costs what it changed. */
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Change, EvaluationRequest } from "../core/ports.ts";
import { unpackTree } from "../pack/pack.ts";

export interface WorkTree {
  /** Answers the folder in which the tree now lies. */
  lay(base: EvaluationRequest["base"], changes: Change[]): Promise<string>;
}

/** What this process has laid: another process may have left anything. */
interface Laid {
  key: string;
  /** By path, the digest of the change that lies there. */
  changes: Map<string, string>;
}

export function createWorkTree(folder: string): WorkTree {
  const tree = join(resolve(folder), "tree");
  let laid: Laid | undefined;

  async function rebuild({ key, load }: EvaluationRequest["base"]): Promise<Laid> {
    laid = undefined;
    const files = unpackTree(await load());
    await rm(tree, { recursive: true, force: true });
    await makeFolder(tree);
    for (const [path, content] of files) await put(tree, path, content);
    return { key, changes: new Map() };
  }

  async function update(from: Laid, base: EvaluationRequest["base"], changes: Change[]): Promise<Laid> {
    laid = undefined; // Until it is done nothing is certain.
    const wanted = new Map(changes.map((change) => [change.path, digestOf(change)]));
    const undone = [...from.changes.keys()].filter((path) => !wanted.has(path));
    const restored = undone.length > 0 ? await originals(base, undone) : [];
    const fresh = changes.filter(({ path }) => from.changes.get(path) !== wanted.get(path));
    // Deleted first: a path may become a folder, or a folder a path.
    const all = [...restored, ...fresh].toSorted(
      (one, other) => Number(one.content !== null) - Number(other.content !== null),
    );
    for (const { path, content } of all) await (content ? put(tree, path, content) : remove(tree, path));
    return { key: base.key, changes: wanted };
  }

  /** What the pack holds where a change is no longer wanted. */
  async function originals(base: EvaluationRequest["base"], paths: string[]): Promise<Change[]> {
    const files = unpackTree(await base.load());
    return paths.map((path) => ({ path, content: files.get(path) ?? null }));
  }

  return {
    async lay(base, changes) {
      const folded = [...new Map(changes.map((change) => [change.path, change])).values()];
      if (laid?.key === base.key && (await isFolder(tree))) {
        try {
          laid = await update(laid, base, folded);
          return tree;
        } catch {
          // Damaged: something else lies where a file should. It is laid anew.
        }
      }
      laid = await update(await rebuild(base), base, folded);
      return tree;
    },
  };
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
