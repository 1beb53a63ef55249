/** The rows of the chart of files: one each, or several files of a folder in one where there are more than a chart has room for. Pure. */
export interface FileRow {
  /** The file; or the folder and how many of its files were touched; or the first file and how many more. */
  name: string;
  paths: string[];
}

/** More files than this stand several in a row, and then in at most so many rows. */
const ROWS = 100;
const ROWS_OF_SEVERAL = 60;
/** Of them, so many may be needed for as many folders. */
const FOLDERS = 45;
/** So many folders say enough, without the files that are in them. */
const TELLING = 12;

/** In the order of the paths, folder by folder where several share a row. */
export function fileRows(paths: string[]): FileRow[] {
  if (paths.length <= ROWS) return paths.map((path) => ({ name: path, paths: [path] }));
  const folders = foldersOf(paths);
  const each = folders.size >= TELLING ? paths.length : Math.ceil(paths.length / (ROWS_OF_SEVERAL - folders.size));
  return [...folders].flatMap(([folder, own]) => inRows(folder, own, each));
}

/** The deepest folders that leave rows for what is in them. */
function foldersOf(paths: string[]): Map<string, string[]> {
  const deepest = Math.max(...paths.map((path) => path.split("/").length - 1));
  for (let depth = deepest; depth > 0; depth -= 1) {
    const folders = Map.groupBy(paths, (path) => folderOf(path, depth));
    if (folders.size <= FOLDERS) return folders;
  }
  return new Map([["", paths]]);
}

const folderOf = (path: string, depth: number): string =>
  path
    .split("/")
    .slice(0, -1)
    .slice(0, depth)
    .map((segment) => `${segment}/`)
    .join("");

function inRows(folder: string, paths: string[], each: number): FileRow[] {
  return Array.from({ length: Math.ceil(paths.length / each) }, (_, row) => {
    const own = paths.slice(row * each, (row + 1) * each);
    const [first = "", ...others] = own;
    if (others.length === 0) return { name: first, paths: own };
    const name = own.length === paths.length ? `${folder || "./"} (${own.length})` : `${first} +${others.length}`;
    return { name, paths: own };
  });
}
