/** The entries of the directory that the listing of a conversation shows: of a large tree the first ones, and those changed lately. */
import { FILES_LISTED, PATHS_PER_TURN } from "../../core/limits.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import type { Registry } from "../../registry/registry.ts";
import type { StepState } from "./step-state.ts";

export interface ListedFiles {
  entries: FileEntry[];
  /** So many more are in the tree. */
  more: number;
}

/** As many are read, whatever the tree has. */
export async function listedFiles(registry: Registry, { run, number, entries: own }: StepState): Promise<ListedFiles> {
  if (run.files <= FILES_LISTED) return { entries: await registry.allFiles(run.id), more: 0 };
  const first = await registry.files(run.id, { limit: FILES_LISTED });
  const before = number > 0 ? await registry.turns(run.id, number - 1) : [];
  const turns = [...own.map(({ turn }) => turn), ...before];
  const changed = turns.flatMap(({ changes }) => changes.map(({ path }) => foldPath(path)));
  const lately = [...new Set(changed)].slice(0, PATHS_PER_TURN);
  const recent = await Promise.all(lately.map((folded) => registry.file(run.id, folded)));
  const entries = new Map([...first, ...recent].flatMap((entry) => (entry ? [[entry.path, entry]] : [])));
  return { entries: [...entries.values()], more: Math.max(0, run.files - entries.size) };
}
