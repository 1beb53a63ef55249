/** Files in order of path, a page at a time, as this turn sees them. */
import { foldPath } from "../../core/text/file-path.ts";
import { linesOf } from "../../core/text/file-text.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import type { ListedFile } from "../../core/turn/workbench.ts";
import type { Layers } from "./layers.ts";

export async function listFiles(
  { registry, run, instruction, overlay }: Layers,
  page: { prefix?: string; after?: string; limit: number },
): Promise<ListedFile[]> {
  const prefix = foldPath(page.prefix ?? "");
  const after = page.after === undefined ? undefined : foldPath(page.after);
  const range = after === undefined ? { prefix } : { prefix, after };
  // The overlay can remove as many as it holds, so that many more are asked for.
  const base = await registry.files(run.id, { ...range, limit: page.limit + overlay.size });
  const listed = new Map(base.map((file) => [foldPath(file.path), listedOf(file)]));
  for (const [folded, { path, content }] of overlay) {
    if (!folded.startsWith(prefix) || (after !== undefined && folded <= after)) continue;
    if (content) listed.set(folded, { path, bytes: content.length, lines: linesOf(content), instruction });
    else listed.delete(folded);
  }
  const inOrder = [...listed].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, page.limit);
  return inOrder.map(([, file]) => file);
}

const listedOf = ({ path, bytes, lines, instruction }: FileEntry): ListedFile => ({ path, bytes, lines, instruction });

const SEARCHED = 2_000;
const SHOWN = 5;

/** Paths whose file name is the one asked for, or like it. */
export async function similarPaths({ registry, run }: Layers, path: string): Promise<string[]> {
  const name = nameOf(path);
  const closeness = (other: string): number => {
    const otherName = nameOf(other);
    if (otherName === name) return 2;
    return otherName.includes(name) || name.includes(otherName) ? 1 : 0;
  };
  const files = await registry.files(run.id, { limit: SEARCHED });
  const close = files
    .map((file) => ({ path: file.path, closeness: closeness(file.path) }))
    .filter((each) => each.closeness > 0);
  return close
    .sort((a, b) => b.closeness - a.closeness)
    .slice(0, SHOWN)
    .map((each) => each.path);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
