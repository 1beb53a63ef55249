/** Paths as a tree of folders, as the rows that are seen of it. Pure. */
import type { FileSnapshot } from "../../lib/core/run/history.ts";

export interface TreeRow {
  path: string;
  name: string;
  depth: number;
  /** Absent: it is a folder. */
  file?: FileSnapshot;
  /** Files in the folder. */
  count: number;
  isOpen: boolean;
}

/** In the order of their paths, folders before what lies in them. */
export function treeRows(files: FileSnapshot[], isOpen: (folder: string) => boolean): TreeRow[] {
  const counts = new Map<string, number>();
  for (const { path } of files) for (const folder of foldersOf(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const rows: TreeRow[] = [];
  const shown = new Set<string>();
  for (const file of files) {
    const folders = foldersOf(file.path);
    const closed = folders.findIndex((folder) => !isOpen(folder));
    const seen = closed < 0 ? folders : folders.slice(0, closed + 1);
    for (const [depth, path] of seen.entries()) {
      if (shown.has(path)) continue;
      shown.add(path);
      rows.push({ path, name: nameOf(path), depth, count: counts.get(path) ?? 0, isOpen: isOpen(path) });
    }
    const { path } = file;
    if (closed < 0) rows.push({ path, name: nameOf(path), depth: folders.length, file, count: 1, isOpen: false });
  }
  return rows;
}

/** `a` and `a/b` of `a/b/c.js`. */
export const foldersOf = (path: string): string[] =>
  [...path.matchAll(/(?<!^)\//g)].map(({ index }) => path.slice(0, index));

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
