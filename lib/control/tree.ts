/** The run's files during one instruction: the directory, what the instruction changed, and this turn's overlay. */
import { deflateRawSync } from "node:zlib";
import { foldPath, parentsOf } from "../core/file-path.ts";
import { linesOf } from "../core/file-text.ts";
import { PATHS_PER_TURN, TREE_FILES, TREE_PACKED_BYTES } from "../core/limits.ts";
import type { Change, FileStore } from "../core/ports.ts";
import type { Run } from "../core/run.ts";
import type { FileEntry, PathChange, Turn } from "../core/turn.ts";
import type { ListedFile, WorkFiles } from "../core/workbench.ts";
import type { EntryChange } from "../registry/commit.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { Registry } from "../registry/registry.ts";
import { sha256 } from "./digest.ts";

/** A path as a turn or an instruction left it. */
interface Layer {
  path: string;
  /** Null: deleted, or not loaded yet where there is a hash. */
  content: Uint8Array | null;
  sha256: string | null;
  bytes: number;
  /** The hash in the directory that the change was made on. */
  was: string | null;
}

export type Tree = ReturnType<typeof createTree>;

export function createTree(asked: {
  registry: Registry;
  files: FileStore;
  run: Run;
  instruction: number;
  turns: Turn[];
}) {
  const { registry, files, run, instruction } = asked;
  const keys = fileStoreKeys(run.id);
  const changed = foldTurns(asked.turns);
  let overlay = new Map<string, Layer>();

  const blob = async (sha: string): Promise<Uint8Array> => {
    const bytes = await files.get(keys.blob(sha));
    if (!bytes) throw new Error(`The file store is damaged: blob ${sha} of run ${run.id} is missing.`);
    return bytes;
  };
  const entry = (folded: string): Promise<FileEntry | undefined> => registry.file(run.id, folded);
  const present = async (folded: string): Promise<{ path: string; sha256: string | null } | undefined> => {
    const layer = overlay.get(folded);
    if (layer) return layer.content ? layer : undefined;
    return entry(folded);
  };

  async function lay(path: string, content: Uint8Array | null): Promise<void> {
    const folded = foldPath(path);
    const was = overlay.get(folded)?.was ?? (await entry(folded))?.sha256 ?? null;
    overlay.set(folded, { path, content, sha256: content && sha256(content), bytes: content?.length ?? 0, was });
  }

  async function problemWith(path: string, content: Uint8Array): Promise<string | undefined> {
    const folded = foldPath(path);
    if (!overlay.has(folded) && overlay.size >= PATHS_PER_TURN) {
      return `One turn changes at most ${PATHS_PER_TURN} paths; write the rest in the next turn.`;
    }
    const standing = await present(folded);
    if (standing && standing.path !== path) {
      return `${path} differs from the existing ${standing.path} only in case or Unicode form; use that name.`;
    }
    for (const parent of parentsOf(path)) {
      if (await present(foldPath(parent))) return `${parent} is a file, so ${path} cannot be inside it.`;
    }
    const [inside] = await list({ prefix: `${path}/`, limit: 1 });
    if (inside) return `${path} is a folder (it holds ${inside.path}).`;
    if (!standing && run.files + overlay.size >= TREE_FILES)
      return `The tree has ${TREE_FILES} files, which is the limit.`;
    return tooLarge(content)
      ? `The tree would grow beyond ${TREE_PACKED_BYTES} packed bytes, which is the limit.`
      : undefined;
  }

  /** Deflating is only done where unpacked sizes could be too much. */
  function tooLarge(content: Uint8Array): boolean {
    const layers = [...new Map([...changed, ...overlay]).values()];
    const room = TREE_PACKED_BYTES - run.packedBytes;
    const raw = layers.reduce((sum, layer) => sum + layer.bytes, content.length);
    if (raw <= room) return false;
    return layers.reduce((sum, layer) => sum + packedSize(layer), deflated(content)) > room;
  }

  async function list(range: { prefix?: string; after?: string; limit: number }): Promise<ListedFile[]> {
    const prefix = foldPath(range.prefix ?? "");
    const after = range.after === undefined ? undefined : foldPath(range.after);
    const page = after === undefined ? { prefix } : { prefix, after };
    const base = await registry.files(run.id, { ...page, limit: range.limit + overlay.size });
    const listed = new Map(base.map((file) => [foldPath(file.path), listedOf(file)]));
    for (const [folded, layer] of overlay) {
      if (!folded.startsWith(prefix) || (after !== undefined && folded <= after)) continue;
      if (!layer.content) listed.delete(folded);
      else
        listed.set(folded, {
          path: layer.path,
          bytes: layer.content.length,
          lines: linesOf(layer.content),
          instruction,
        });
    }
    return [...listed]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, range.limit)
      .map(([, file]) => file);
  }

  const work: WorkFiles = {
    list,
    async read(path) {
      const folded = foldPath(path);
      const layer = overlay.get(folded);
      if (layer) return layer.path === path ? (layer.content ?? undefined) : undefined;
      const found = await entry(folded);
      return found?.path === path ? blob(found.sha256) : undefined;
    },
    async write(path, content) {
      const problem = await problemWith(path, content);
      if (problem === undefined) await lay(path, content);
      return problem;
    },
    async remove(path) {
      const standing = await present(foldPath(path));
      if (standing?.path !== path) return false;
      await lay(path, null);
      return true;
    },
    similar: async (path) =>
      nearest(
        path,
        (await registry.files(run.id, { limit: 2_000 })).map((file) => file.path),
      ),
  };

  return {
    work,
    /** What this turn changed, leaving out what it put back as it was. */
    turnChanges: (turn: number): { change: PathChange; entry: EntryChange; content: Uint8Array | null }[] =>
      [...overlay]
        .filter(([, layer]) => layer.sha256 !== layer.was)
        .map(([folded, { path, content, sha256: sha, was }]) => ({
          change: { path, sha256: sha, was, bytes: content?.length ?? 0 },
          entry: {
            folded,
            was,
            entry: content && sha ? entryOf(path, { content, sha256: sha }, { instruction, turn }) : null,
          },
          content,
        })),
    /** The turn is committed: its overlay becomes part of the instruction's changes. */
    settle(): void {
      for (const [folded, layer] of overlay) changed.set(folded, layer);
      overlay = new Map();
    },
    /** The turn is not going to be committed. */
    discard(): void {
      overlay = new Map();
    },
    /** The instruction's changes since the latest pack, this turn's included. */
    async changes(): Promise<Change[]> {
      const layers = new Map([...changed, ...overlay]);
      return Promise.all(
        [...layers.values()].map(async (layer) => {
          if (layer.content === null && layer.sha256 !== null) layer.content = await blob(layer.sha256);
          return { path: layer.path, content: layer.content };
        }),
      );
    },
    /** Names the state of the files, as far as this instruction can change it. */
    stateHash: (): string =>
      sha256(JSON.stringify([...changed].map(([folded, layer]) => [folded, layer.sha256]).sort())),
  };
}

const listedOf = ({ path, bytes, lines, instruction }: FileEntry): ListedFile => ({ path, bytes, lines, instruction });

export const entryOf = (
  path: string,
  { content, sha256: sha }: { content: Uint8Array; sha256: string },
  at: { instruction: number; turn: number },
): FileEntry => ({ path, sha256: sha, bytes: content.length, lines: linesOf(content), ...at });

/** What the committed turns of the instruction changed; contents are loaded when they are asked for. */
function foldTurns(turns: Turn[]): Map<string, Layer> {
  const changed = new Map<string, Layer>();
  for (const change of turns.flatMap((turn) => turn.changes)) {
    const { path, sha256: sha, bytes, was } = change;
    changed.set(foldPath(path), { path, content: null, sha256: sha, bytes, was });
  }
  return changed;
}

const deflated = (content: Uint8Array): number => deflateRawSync(content).length;
const packedSize = ({ content, bytes }: Layer): number => (content ? deflated(content) : bytes);

const SIMILAR_SHOWN = 5;

function nearest(path: string, paths: string[]): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const score = (other: string): number => {
    const otherName = other.slice(other.lastIndexOf("/") + 1).toLowerCase();
    if (otherName === name) return 2;
    return otherName.includes(name) || name.includes(otherName) ? 1 : 0;
  };
  const scored = paths.map((other) => ({ other, score: score(other) })).filter((entry) => entry.score > 0);
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, SIMILAR_SHOWN)
    .map((entry) => entry.other);
}
