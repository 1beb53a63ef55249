/** The symbolic links of a tree, which packs hold as a file of their own: by path, where each leads. Pure. */
import * as z from "zod";
import { checkPath, parentsOf } from "./file-path.ts";

export const LINKS_FILE = ".l2mac-links.json";
const LINKS = 1_000;

export interface TreeLink {
  path: string;
  /** Relative to the folder that the link is in. */
  target: string;
}

/** The same links have the same text: a delivered folder is compared with it. */
export const textOfLinks = (links: TreeLink[]): string =>
  `${JSON.stringify(Object.fromEntries(links.map(({ path, target }) => [path, target]).sort()), null, 2)}\n`;

/** Those that can be made in a tree of these files, and lead nowhere else. The text may be anybody's. */
export function linksIn(text: string, files: Iterable<string>): TreeLink[] {
  const taken = new Set<string>();
  for (const file of files) for (const path of [file, ...parentsOf(file)]) taken.add(path);
  const own = new Set(files);
  const found: TreeLink[] = [];
  for (const [path, target] of entriesOf(text)) {
    const checked = checkPath(path);
    const isPath = "path" in checked && checked.path === path;
    if (!isPath || taken.has(path) || parentsOf(path).some((parent) => own.has(parent))) continue;
    if (leadsWithin(path, target)) found.push({ path, target });
  }
  // A link below a link would be made where that one leads.
  const linked = new Set(found.map(({ path }) => path));
  return found.filter(({ path }) => !parentsOf(path).some((parent) => linked.has(parent))).slice(0, LINKS);
}

function entriesOf(text: string): [string, string][] {
  try {
    return Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text)));
  } catch {
    return [];
  }
}

/** Not out of the tree, and not to a folder that holds the link. Up only at first: what is up from a link is elsewhere. */
export function leadsWithin(path: string, target: string): boolean {
  if (target === "" || target.length > 1_000 || /^[/~]|[\\\p{Cc}]/u.test(target)) return false;
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const firstDown = parts.findIndex((part) => part !== "..");
  const folders = path.split("/").slice(0, -1);
  if (firstDown === -1 || firstDown > folders.length) return false;
  const down = parts.slice(firstDown);
  if (down.includes("..")) return false;
  const led = [...folders.slice(0, folders.length - firstDown), ...down].join("/");
  return led !== path && !path.startsWith(`${led}/`);
}
