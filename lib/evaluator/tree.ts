/** The generated tree on disk: what is in it, and copies that may be spoilt. Its names are untrusted. */
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { chown, lchown, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { LINKS_FILE, linksIn, type TreeLink } from "../core/text/tree-links.ts";
import { forEachYielding } from "./process/yielding-loop.ts";

export interface Tree {
  folder: string;
  /** Regular files only, relative, with `/`, in order. */
  files: string[];
  /** Other entries, and why they are not checked. */
  unchecked?: { path: string; why: string }[];
}

/** Left behind by tools, never part of what was generated. */
const SKIPPED = new Set([".git", "node_modules", ".venv", "__pycache__"]);

/** True of what lies in a folder that is passed over. */
export const isSkipped = (path: string): boolean => path.split("/").some((part) => SKIPPED.has(part));

export async function listTree(folder: string): Promise<Tree> {
  const files: string[] = [];
  const unchecked: { path: string; why: string }[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      const why = reasonAgainst(folder, path, entry);
      if (why !== undefined) unchecked.push({ path, why });
      else if (entry.isDirectory()) await visit(path);
      else files.push(path);
    }
  };
  await visit("");
  return { folder, files: files.sort(), ...(unchecked.length > 0 ? { unchecked } : {}) };
}

/** With room for the folders that copies of the tree lie in: systems take no more than 4,096. */
const PATH_BYTES = 3_500;

function reasonAgainst(folder: string, path: string, entry: Dirent): string | undefined {
  if (SKIPPED.has(entry.name)) return "it is a folder of tools, for what they leave behind";
  if (entry.isSymbolicLink()) return "it is a link";
  if (!entry.isDirectory() && !entry.isFile()) return "it is no file";
  if (Buffer.byteLength(path) > PATH_BYTES) return "its path is too long";
  // The replacement character may also be in the text itself.
  const isUncertain = entry.name.includes("\ufffd");
  return isUncertain && !existsSync(join(folder, path)) ? "its name is no text" : undefined;
}

export interface Owner {
  uid: number;
  gid: number;
}

/** A copy to run things in, owned by the user that runs them. */
export async function copyTree(tree: Tree, to: string, owner?: Owner): Promise<void> {
  const links = linksOf(tree);
  const paths = [...tree.files, ...links.map(({ path }) => path)];
  for (const folder of foldersOf(paths)) await makeFolder(join(to, folder), owner);
  await forEachYielding(tree.files, (file) => copyOne(join(tree.folder, file), join(to, file), owner));
  for (const { path, target } of links) {
    await symlink(target, join(to, path));
    if (owner) await lchown(join(to, path), owner.uid, owner.gid);
  }
}

const LINKS_BYTES = 1024 * 1024;

function linksOf({ folder, files }: Tree): TreeLink[] {
  const list = join(folder, LINKS_FILE);
  if (!files.includes(LINKS_FILE) || statSync(list).size > LINKS_BYTES) return [];
  return linksIn(readFileSync(list, "utf8"), files);
}

/** Larger ones are left to the system, which takes longer over small ones than reading and writing them does. */
const IN_MEMORY_BYTES = 1024 * 1024;

function copyOne(from: string, to: string, owner: Owner | undefined): void {
  const bytes = statSync(from).size > IN_MEMORY_BYTES ? undefined : readFileSync(from);
  if (bytes) writeFileSync(to, bytes);
  else copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, isScript(bytes ?? beginningOf(to)) ? 0o755 : 0o644);
  if (owner) chownSync(to, owner.uid, owner.gid);
}

/** Every folder that files lie in, outer before inner; the tree's own is "". */
function foldersOf(files: string[]): string[] {
  const folders = new Set<string>([""]);
  for (const file of files)
    for (let at = file.indexOf("/"); at !== -1; at = file.indexOf("/", at + 1)) folders.add(file.slice(0, at));
  return [...folders].sort();
}

export async function makeFolder(folder: string, owner?: Owner): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (owner) await chown(folder, owner.uid, owner.gid);
}

/** Packs keep no modes: what names its interpreter is meant to be run. */
const isScript = (bytes: Uint8Array): boolean => bytes[0] === 0x23 && bytes[1] === 0x21;

function beginningOf(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const beginning = Buffer.alloc(2);
    readSync(file, beginning, 0, 2, 0);
    return beginning;
  } finally {
    closeSync(file);
  }
}

export interface FolderSize {
  bytes: number;
  files: number;
}

/** Stops counting where it is more than `enough`. What goes while it looks does not count. */
export async function folderSize(folder: string, enough?: FolderSize): Promise<FolderSize> {
  const size = { bytes: 0, files: 0 };
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    if (enough && (size.bytes > enough.bytes || size.files > enough.files)) return size;
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      size.files += 1;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) size.bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return size;
}
