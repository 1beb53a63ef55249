/** The folders of a tree, indented, folded from the smallest on until they fit. Pure. */

interface Folder {
  name: string;
  folders: Map<string, Folder>;
  files: number;
  depth: number;
  isFolded?: boolean;
}

/** Deeper folders are counted with the one at this depth. */
const DEPTH = 12;

export interface FolderTree {
  lines: string[];
  /** How many folders are not named. */
  folded: number;
}

export function folderTree(paths: string[], chars: number): FolderTree {
  const root = treeOf(paths);
  const inner = allFolders(root).filter(({ folders }) => folders.size > 0);
  // Deep folders first, and of those the ones with the fewest files below.
  const order = inner.map((folder) => ({ folder, files: filesBelow(folder) }));
  order.sort((a, b) => b.folder.depth - a.folder.depth || a.files - b.files);
  let size = sizeOf(root);
  for (const { folder } of order) {
    if (size <= chars) break;
    const before = sizeOf(folder);
    folder.isFolded = true;
    size -= before - sizeOf(folder);
  }
  const named = linesOf(root);
  return { lines: named.slice(1), folded: allFolders(root).length - namedIn(root) };
}

function treeOf(paths: string[]): Folder {
  const root: Folder = { name: "", folders: new Map(), files: 0, depth: 0 };
  for (const path of paths) {
    let at = root;
    for (const name of path.split("/").slice(0, -1).slice(0, DEPTH)) {
      const next: Folder = at.folders.get(name) ?? { name, folders: new Map(), files: 0, depth: at.depth + 1 };
      at.folders.set(name, next);
      at = next;
    }
    at.files += 1;
  }
  return root;
}

/** Without recursion: a path may have hundreds of folders. */
function allFolders(root: Folder): Folder[] {
  const all = [root];
  for (let at = 0; at < all.length; at += 1) all.push(...(all[at]?.folders.values() ?? []));
  return all;
}

const filesBelow = (folder: Folder): number => allFolders(folder).reduce((sum, { files }) => sum + files, 0);

const linesOf = (root: Folder): string[] => shown(root).map(lineOf);

/** In the order of reading: a folder before what is in it. */
function shown(root: Folder): Folder[] {
  const found: Folder[] = [];
  const open = [root];
  for (let folder = open.pop(); folder; folder = open.pop()) {
    found.push(folder);
    if (folder.isFolded) continue;
    open.push(...[...folder.folders.values()].sort((a, b) => (a.name < b.name ? 1 : -1)));
  }
  return found;
}

function lineOf(folder: Folder): string {
  const indent = " ".repeat(Math.max(0, folder.depth - 1));
  const inside = folder.isFolded ? allFolders(folder).length - 1 : 0;
  const files = folder.isFolded ? filesBelow(folder) : folder.files;
  return `${indent}${folder.name}/ ${files}${inside > 0 ? ` in ${inside + 1} folders` : ""}`;
}

const sizeOf = (root: Folder): number => linesOf(root).reduce((sum, line) => sum + line.length + 1, 0);
const namedIn = (root: Folder): number => shown(root).length;
