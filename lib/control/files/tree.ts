/** The run's files during one instruction: the directory, what the instruction changed, and this turn's overlay. */
import type { Change, FileStore } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { linesOf } from "../../core/text/file-text.ts";
import type { FileEntry, PathChange, Turn } from "../../core/turn/turn.ts";
import type { WorkFiles } from "../../core/turn/workbench.ts";
import type { EntryChange } from "../../registry/commit.ts";
import type { Registry } from "../../registry/registry.ts";
import { sha256 } from "./digest.ts";
import {
  allLayers,
  contentOf,
  foldTurns,
  type Layers,
  lay,
  type Overlaid,
  pathChangesOf,
  readFile,
  rewrittenIn,
  settle,
  standingAt,
} from "./layers.ts";
import { moveFiles } from "./move-files.ts";
import { listFiles, similarPaths } from "./tree-listing.ts";
import { isGiven, problemWith, turnIsFull } from "./tree-rules.ts";

/** One entry of the directory, and what its change is path by path: a file that is renamed by case keeps its entry. */
export interface TurnChange {
  changes: PathChange[];
  entry: EntryChange;
  content: Uint8Array | null;
}

export interface Tree {
  work: WorkFiles;
  /** What this turn changed, leaving out what it put back as it was. */
  turnChanges(turn: number): TurnChange[];
  /** Paths that this turn has changed so far, also those that it put back, in the order of the first changes. */
  changedPaths(): string[];
  /** Files that this turn wrote with the bytes that they had. */
  rewritten(): { path: string; sha256: string }[];
  /** The turn is committed: its overlay becomes part of the instruction's changes. */
  settle(): void;
  /** The turn is not going to be committed. */
  discard(): void;
  /** The instruction's changes since the latest pack, this turn's included. */
  changes(): Promise<Change[]>;
  /** Names the state of the files, as far as this instruction can change it. */
  stateHash(): string;
}

export function createTree(asked: {
  registry: Registry;
  files: FileStore;
  run: Run;
  instruction: number;
  turns: Turn[];
  /** Paths that only the user changes. */
  given?: readonly string[] | undefined;
}): Tree {
  const { turns, given = [], ...rest } = asked;
  const layers: Layers = {
    ...rest,
    fileCount: rest.run.files,
    changed: foldTurns(turns),
    overlay: new Map(),
    given: new Set(given.map(foldPath)),
  };
  return {
    work: workOn(layers),
    turnChanges: (turn) =>
      [...layers.overlay]
        .map(([folded, layer]) => turnChange(layer, folded, { instruction: layers.instruction, turn }))
        .filter(({ changes }) => changes.length > 0),
    changedPaths: () =>
      [...layers.overlay.values()].flatMap(({ path, was }) => (was && was.path !== path ? [was.path, path] : [path])),
    rewritten: () => rewrittenIn(layers),
    settle: () => settle(layers),
    discard() {
      layers.overlay = new Map();
    },
    changes: () =>
      Promise.all(
        allLayers(layers).map(async (layer) => ({ path: layer.path, content: await contentOf(layers, layer) })),
      ),
    stateHash: () =>
      sha256(JSON.stringify([...layers.changed.values()].map((layer) => [layer.path, layer.sha256]).sort())),
  };
}

const workOn = (layers: Layers): WorkFiles => ({
  list: (range) => listFiles(layers, range),
  read: (path) => readFile(layers, path),
  async write(path, content) {
    const problem = await problemWith(layers, path, content);
    if (problem === undefined) await lay(layers, path, content);
    return problem;
  },
  async remove(path) {
    const folded = foldPath(path);
    if ((await standingAt(layers, folded))?.path !== path) return false;
    const problem = isGiven(layers, path) ?? turnIsFull(layers, folded);
    if (problem !== undefined) return { problem };
    await lay(layers, path, null);
    return true;
  },
  move: (moves) => moveFiles(layers, moves),
  similar: (path) => similarPaths(layers, path),
});

function turnChange(layer: Overlaid, folded: string, at: { instruction: number; turn: number }): TurnChange {
  const { path, content, sha256: sha, was } = layer;
  const entry = content && sha ? entryOf(path, { content, sha256: sha }, at) : null;
  return { changes: pathChangesOf(layer), entry: { folded, was: was?.sha256 ?? null, entry }, content };
}

export const entryOf = (
  path: string,
  { content, sha256: sha }: { content: Uint8Array; sha256: string },
  at: { instruction: number; turn: number },
): FileEntry => ({ path, sha256: sha, bytes: content.length, lines: linesOf(content), ...at });
