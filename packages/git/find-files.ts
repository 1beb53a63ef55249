/** Of a commit's tree the files that a run can start from: as a folder's, without packages, with links that lead within. */
import { parentsOf } from "../../lib/core/text/file-path.ts";
import { LINKS_FILE, leadsWithin, type TreeLink, textOfLinks } from "../../lib/core/text/tree-links.ts";
import { type FoundFile, type FoundFiles, LEFT_OUT, type LeftOut } from "../../lib/pack/found-files.ts";
import { LINK, SUBMODULE } from "./objects.ts";
import type { Outline } from "./outline.ts";
import type { Objects } from "./read-pack.ts";

export function findInCommit({ items }: Outline, objects: Objects): FoundFiles {
  const paths = [...items.keys()];
  const environments = new Set(
    paths.filter((path) => path.endsWith("/pyvenv.cfg")).map((path) => path.slice(0, -"/pyvenv.cfg".length)),
  );
  const isSource = (path: string): boolean =>
    !path.split("/").some((part) => LEFT_OUT.has(part)) && !parentsOf(path).some((folder) => environments.has(folder));
  const sources = paths.filter(isSource);
  const there = new Set(sources.flatMap((path) => [path, ...parentsOf(path)]));
  const contents = new Map<string, Uint8Array>();
  const leftOut: LeftOut[] = [];
  const links: TreeLink[] = [];
  for (const path of sources) {
    const { mode = "", id = "" } = items.get(path) ?? {};
    const content = objects.get(id)?.content;
    if (mode === SUBMODULE) leftOut.push({ path, reason: "submodule", detail: "a submodule" });
    else if (!content) leftOut.push({ path, reason: "special file", detail: "no plain file" });
    else if (mode === LINK) {
      const link = linkAt(path, { target: new TextDecoder().decode(content), there });
      if (typeof link === "string") leftOut.push({ path, reason: "link", detail: link });
      else links.push(link);
    } else contents.set(path, content);
  }
  // In the place of an earlier list.
  if (links.length > 0) contents.set(LINKS_FILE, new TextEncoder().encode(textOfLinks(links)));
  return {
    files: [...contents].map(([name, content]): FoundFile => ({ name, bytes: content.length })),
    leftOut,
    read: async (except) => new Map([...contents].filter(([name]) => !except?.has(name))),
  };
}

function linkAt(path: string, { target, there }: { target: string; there: ReadonlySet<string> }): TreeLink | string {
  if (target.startsWith("/") || isAbove(path, target)) return "a symbolic link that leads out of the repository";
  if (!leadsWithin(path, target)) return "a symbolic link to a folder that holds it, or that is left out";
  return there.has(ledTo(path, target)) ? { path, target } : "a symbolic link that leads to nothing";
}

/** Undefined: out of the tree. */
function foldersTo(path: string, target: string): string[] | undefined {
  const folders = path.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") {
      if (folders.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") folders.push(part);
  }
  return folders;
}

const isAbove = (path: string, target: string): boolean => foldersTo(path, target) === undefined;

const ledTo = (path: string, target: string): string => foldersTo(path, target)?.join("/") ?? "";
