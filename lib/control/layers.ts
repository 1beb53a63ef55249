/** Layers over the directory: what an instruction's committed turns changed, and what this turn changes on top. */
import { foldPath } from "../core/file-path.ts";
import type { FileStore } from "../core/ports.ts";
import type { Run } from "../core/run.ts";
import type { FileEntry, Turn } from "../core/turn.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { Registry } from "../registry/registry.ts";
import { sha256 } from "./digest.ts";

/** A path as a turn or an instruction left it. */
export interface Layer {
  path: string;
  /** Null: deleted, or not loaded yet where there is a hash. */
  content: Uint8Array | null;
  sha256: string | null;
  bytes: number;
  /** The hash in the directory that the change was made on. */
  was: string | null;
}

export interface Layers {
  registry: Registry;
  files: FileStore;
  run: Run;
  instruction: number;
  /** By folded path, as the directory is keyed. */
  changed: Map<string, Layer>;
  overlay: Map<string, Layer>;
}

export const directoryEntry = ({ registry, run }: Layers, folded: string): Promise<FileEntry | undefined> =>
  registry.file(run.id, folded);

/** The file that stands at a folded path as this turn sees it. */
export async function standingAt(
  layers: Layers,
  folded: string,
): Promise<{ path: string; sha256: string | null } | undefined> {
  const layer = layers.overlay.get(folded);
  if (layer) return layer.sha256 === null ? undefined : layer;
  return directoryEntry(layers, folded);
}

export async function lay(layers: Layers, path: string, content: Uint8Array | null): Promise<void> {
  const folded = foldPath(path);
  const was = layers.overlay.get(folded)?.was ?? (await directoryEntry(layers, folded))?.sha256 ?? null;
  layers.overlay.set(folded, { path, content, sha256: content && sha256(content), bytes: content?.length ?? 0, was });
}

export async function blobOf({ files, run }: Layers, sha: string): Promise<Uint8Array> {
  const bytes = await files.get(fileStoreKeys(run.id).blob(sha));
  if (!bytes) throw new Error(`The file store is damaged: blob ${sha} of run ${run.id} is missing.`);
  return bytes;
}

/** What the committed turns of an instruction changed; contents are loaded when they are asked for. */
export function foldTurns(turns: Turn[]): Map<string, Layer> {
  const changed = new Map<string, Layer>();
  for (const { path, sha256: sha, bytes, was } of turns.flatMap((turn) => turn.changes)) {
    changed.set(foldPath(path), { path, content: null, sha256: sha, bytes, was });
  }
  return changed;
}
