/** What has to be put back so that the tree is again as it was before an instruction. Pure. */
import { foldPath } from "../../core/text/file-path.ts";
import type { Turn } from "../../core/turn/turn.ts";

interface FileVersion {
  path: string;
  sha256: string;
}

/** One entry of the directory: what is there now, and what was there before. */
export interface PathToRevert {
  folded: string;
  now: FileVersion | undefined;
  before: FileVersion | undefined;
}

/** Nothing for what is as it was. In the order of the first changes. */
export function pathsToRevert(turns: Pick<Turn, "changes">[]): PathToRevert[] {
  const paths = new Map<string, { was: string | null; is: string | null }>();
  for (const { path, sha256, was } of turns.flatMap(({ changes }) => changes)) {
    paths.set(path, { was: paths.has(path) ? (paths.get(path)?.was ?? null) : was, is: sha256 });
  }
  const entries = new Map<string, PathToRevert>();
  for (const [path, { was, is }] of paths) {
    const folded = foldPath(path);
    // Names that differ only in case share their entry; at most one of them stands at a time.
    const entry = entries.get(folded) ?? { folded, now: undefined, before: undefined };
    if (is !== null) entry.now = { path, sha256: is };
    if (was !== null) entry.before = { path, sha256: was };
    entries.set(folded, entry);
  }
  return [...entries.values()].filter(
    ({ now, before }) => now?.path !== before?.path || now?.sha256 !== before?.sha256,
  );
}
