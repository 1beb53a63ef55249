/** Layers over the directory: what an instruction's committed turns changed, and what this turn changes on top. */
import type { FileStore } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { FileEntry, PathChange, Turn } from "../../core/turn/turn.ts";
import type { Registry } from "../../registry/registry.ts";
import { sha256 } from "./digest.ts";
import { readBlob } from "./verified-read.ts";

/** A path as a turn or an instruction left it. */
export interface Layer {
  path: string;
  /** Null: deleted, or not loaded yet where there is a hash. */
  content: Uint8Array | null;
  sha256: string | null;
  bytes: number;
}

type KnownFile = Pick<FileEntry, "path" | "sha256">;

export interface Overlaid extends Layer {
  /** The file in the directory that the change was made on; its name may be of another case. */
  was: KnownFile | null;
}

export interface Layers {
  registry: Registry;
  files: FileStore;
  run: Run;
  instruction: number;
  /** In the directory, as the latest committed turn left it. */
  fileCount: number;
  /** By path. */
  changed: Map<string, Layer>;
  /** By folded path, as the directory is keyed. */
  overlay: Map<string, Overlaid>;
  /** Folded paths that only the user changes. */
  given: ReadonlySet<string>;
}

export const directoryEntry = ({ registry, run }: Layers, folded: string): Promise<FileEntry | undefined> =>
  registry.file(run.id, folded);

/** The file at a folded path as this turn sees it. */
export async function standingAt(
  layers: Layers,
  folded: string,
): Promise<{ path: string; sha256: string | null } | undefined> {
  const layer = layers.overlay.get(folded);
  if (layer) return layer.sha256 === null ? undefined : layer;
  return directoryEntry(layers, folded);
}

/** Undefined: there is no file of just this name. */
export async function readFile(layers: Layers, path: string): Promise<Uint8Array | undefined> {
  const folded = foldPath(path);
  const layer = layers.overlay.get(folded);
  if (layer) return layer.path === path ? (layer.content ?? undefined) : undefined;
  const found = await directoryEntry(layers, folded);
  return found?.path === path ? blobOf(layers, found.sha256) : undefined;
}

export async function lay(layers: Layers, path: string, content: Uint8Array | null): Promise<void> {
  const folded = foldPath(path);
  const laid = layers.overlay.get(folded);
  const was = laid ? laid.was : ((await directoryEntry(layers, folded)) ?? null);
  layers.overlay.set(folded, { path, content, sha256: content && sha256(content), bytes: content?.length ?? 0, was });
}

/** What a layer changes, path by path: nothing where it put back what was there; a name of another case is another path. */
export function pathChangesOf({ path, sha256: sha, bytes, was }: Overlaid): PathChange[] {
  const deletion = was ? [{ path: was.path, sha256: null, was: was.sha256, bytes: 0 }] : [];
  if (sha === null) return deletion;
  if (was?.path !== path) return [...deletion, { path, sha256: sha, was: null, bytes }];
  return was.sha256 === sha ? [] : [{ path, sha256: sha, was: was.sha256, bytes }];
}

/** Files that were written with the bytes that they had. */
export const rewrittenIn = ({ overlay }: Layers): { path: string; sha256: string }[] =>
  [...overlay.values()].flatMap(({ path, sha256: sha, was }) =>
    sha !== null && was?.path === path && was.sha256 === sha ? [{ path, sha256: sha }] : [],
  );

/** How many files there are more, or less, after the changes. */
export const filesAdded = (changes: PathChange[]): number =>
  changes.filter(({ was }) => was === null).length - changes.filter((change) => change.sha256 === null).length;

/** The turn is committed: its overlay becomes part of the instruction's changes. */
export function settle(layers: Layers): void {
  for (const layer of layersOver(layers)) layers.changed.set(layer.path, layer);
  layers.fileCount += filesAdded([...layers.overlay.values()].flatMap(pathChangesOf));
  layers.overlay = new Map();
}

/** The instruction's changes, this turn's included. */
export const allLayers = (layers: Layers): Layer[] => [
  ...new Map([...layers.changed, ...layersOver(layers).map((layer) => [layer.path, layer] as const)]).values(),
];

const layersOver = ({ overlay }: Layers): Layer[] =>
  [...overlay.values()].flatMap((overlaid) =>
    pathChangesOf(overlaid).map(({ path, sha256: sha, bytes }) => ({
      path,
      content: sha === null ? null : overlaid.content,
      sha256: sha,
      bytes,
    })),
  );

/** The layer's content, loaded where it was not yet; null: deleted. */
export async function contentOf(layers: Layers, layer: Layer): Promise<Uint8Array | null> {
  if (layer.content === null && layer.sha256 !== null) layer.content = await blobOf(layers, layer.sha256);
  return layer.content;
}

export const blobOf = ({ files, run }: Layers, sha: string): Promise<Uint8Array> => readBlob(files, run.id, sha);

/** What the committed turns of an instruction changed; contents are loaded when they are asked for. */
export function foldTurns(turns: Turn[]): Map<string, Layer> {
  const changed = new Map<string, Layer>();
  for (const { path, sha256: sha, bytes } of turns.flatMap((turn) => turn.changes)) {
    changed.set(path, { path, content: null, sha256: sha, bytes });
  }
  return changed;
}
