/** Finds the source files of a folder, and the symbolic links between them: without version control and packages. */
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { TREE_FILES } from "../core/limits.ts";
import { parentsOf } from "../core/text/file-path.ts";
import { LINKS_FILE, leadsWithin, type TreeLink, textOfLinks } from "../core/text/tree-links.ts";
import { readRegular } from "../host/regular-file.ts";
import { type FoundFile, type FoundFiles, LEFT_OUT, type LeftOut } from "../pack/found-files.ts";

/** Enough to say that it is too much, and by how much about. */
const FILES_LOOKED_AT = 10 * TREE_FILES;

/** `wanted`: of all files only these, by path; of a name that is a folder nothing, it is a repository of its own. */
export async function readFolder(root: string, wanted?: ReadonlySet<string>): Promise<FoundFiles> {
  const parents = wanted && new Set([...wanted].flatMap(parentsOf));
  const files: FoundFile[] = [];
  const leftOut: LeftOut[] = [];
  const links: TreeLink[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && files.length < FILES_LOOKED_AT; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    // A virtual environment, whatever it is called.
    if (folder !== "" && entries.some(({ name }) => name === "pyvenv.cfg")) continue;
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) {
        if (parents?.has(name) !== false) folders.push(name);
        else if (wanted?.has(name))
          leftOut.push({ path: name, reason: "submodule", detail: "a submodule or a Git repository of its own" });
      } else if (wanted?.has(name) === false) continue;
      else if (entry.isFile()) files.push({ name, bytes: (await lstat(join(root, name))).size });
      else {
        const link = entry.isSymbolicLink() ? await linkAt(root, name) : "no plain file";
        if (typeof link !== "string") links.push(link);
        else leftOut.push({ path: name, reason: entry.isSymbolicLink() ? "link" : "special file", detail: link });
      }
    }
  }
  return withLinks(
    {
      files,
      leftOut,
      read: (except) =>
        readAll(
          root,
          files.filter(({ name }) => !except?.has(name)),
        ),
    },
    links,
  );
}

/** Of a link that leads to a source file or folder of the same tree. */
async function linkAt(root: string, path: string): Promise<TreeLink | string> {
  const led = await realpath(join(root, path)).catch(() => undefined);
  if (led === undefined) return "a symbolic link that leads to nothing";
  const within = relative(await realpath(root), led);
  if (within.startsWith("..") || isAbsolute(within)) return "a symbolic link that leads out of the folder";
  const said = await readlink(join(root, path));
  const target = isAbsolute(said) ? relative(dirname(path), within) : said;
  const isSource = !within.split("/").some((part) => LEFT_OUT.has(part));
  return isSource && leadsWithin(path, target)
    ? { path, target }
    : "a symbolic link to a folder that holds it, or that is left out";
}

/** They are a file of the tree, in the place of an earlier list. */
function withLinks(found: FoundFiles, links: TreeLink[]): FoundFiles {
  if (links.length === 0) return found;
  const content = new TextEncoder().encode(textOfLinks(links));
  return {
    ...found,
    files: [...found.files.filter(({ name }) => name !== LINKS_FILE), { name: LINKS_FILE, bytes: content.length }],
    read: async (except) => (await found.read(except)).set(LINKS_FILE, content),
  };
}

async function readAll(root: string, files: FoundFile[]): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const { name } of files) contents.set(name, await readRegular(join(root, name)));
  return contents;
}
