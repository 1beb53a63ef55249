/** The generated tree on disk: what is in it, and copies that may be spoilt. Its names are untrusted. */
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Tree {
  folder: string;
  /** Regular files only, relative, with `/`, in order. */
  files: string[];
}

/** Left behind by tools, never part of what was generated. */
const SKIPPED = new Set([".git", "node_modules", ".venv", "__pycache__"]);

export async function listTree(folder: string): Promise<Tree> {
  const files: string[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (SKIPPED.has(entry.name)) continue;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) files.push(path);
    }
  };
  await visit("");
  return { folder, files: files.sort() };
}

export interface Owner {
  uid: number;
  gid: number;
}

/** A copy to run things in. Owned by whoever will run them. */
export async function copyTree(tree: Tree, to: string, owner?: Owner): Promise<void> {
  for (const folder of foldersOf(tree.files)) await makeFolder(join(to, folder), owner);
  const left = tree.files.values();
  const copyOne = async (file: string): Promise<void> => {
    const bytes = await readFile(join(tree.folder, file));
    await writeFile(join(to, file), bytes, { mode: isScript(bytes) ? 0o755 : 0o644 });
    if (owner) await chown(join(to, file), owner.uid, owner.gid);
  };
  const copyRest = async (): Promise<void> => {
    for (const file of left) await copyOne(file);
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, copyRest));
}

const COPIES_AT_ONCE = 8;

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

/** Generated code may have taken the permissions away that removing needs. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
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
