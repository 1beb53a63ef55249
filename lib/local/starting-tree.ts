/** The files that a run starts from: a folder or a zip, held to the limits that hold for every tree. */
import { stat } from "node:fs/promises";
import type { UserError } from "../core/errors.ts";
import { checkPath, foldPath, parentsOf } from "../core/file-path.ts";
import { MiB, TREE_FILES, TREE_PACKED_BYTES } from "../core/limits.ts";
import { packTree } from "../pack/pack.ts";
import { type FoundFile, type FoundFiles, refusedStart } from "./found-files.ts";
import { readFolder } from "./read-folder.ts";
import { readZip } from "./read-zip.ts";
import { codeOf } from "./storage-errors.ts";

export interface StartingTree {
  files: Map<string, Uint8Array>;
  /** What was left out, in words. */
  notices: string[];
}

/** Far above what could be packed into the limit, so that nothing larger is read at all. */
const READ_BYTES = 64 * MiB;

export async function readStartingTree(path: string): Promise<StartingTree> {
  const found = await findFiles(path);
  refuseTooMuch(path, found.files);
  // Before they are read: names are refused without a look inside.
  checkedPaths(path, found.files);
  return { files: checkedTree(path, await found.read()), notices: found.notices };
}

/** From names to paths that a run can have; `from` is how the user knows where they come from. */
export function checkedTree(from: string, contents: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const found = [...contents].map(([name, { length }]) => ({ name, bytes: length }));
  refuseTooMuch(from, found);
  const paths = checkedPaths(from, found);
  const files = new Map([...paths].map(([name, path]) => [path, contents.get(name) ?? new Uint8Array()]));
  const packed = packTree(
    undefined,
    [...files].map(([path, content]) => ({ path, content })),
  );
  if (packed.length > TREE_PACKED_BYTES) throw tooLarge(from, `${inMiB(packed.length)} when packed`, found);
  return files;
}

async function findFiles(path: string): Promise<FoundFiles> {
  const found = await stat(path).catch((error: unknown) => {
    const why = codeOf(error) === "ENOENT" ? "there is nothing of that name" : String(codeOf(error) || error);
    throw refusedStart(`--from ${path}: ${why}.`, error);
  });
  if (found.isDirectory()) return readFolder(path);
  if (found.isFile()) return readZip(path);
  throw refusedStart(`--from ${path}: it is neither a folder nor a zip file.`);
}

function refuseTooMuch(path: string, found: FoundFile[]): void {
  if (found.length > TREE_FILES) {
    throw refusedStart(`--from ${path}: it has ${found.length} files; at most ${TREE_FILES} fit into a run.`);
  }
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > READ_BYTES) throw tooLarge(path, inMiB(bytes), found);
}

const LARGEST_NAMED = 3;

function tooLarge(path: string, size: string, found: FoundFile[]): UserError {
  const largest = [...found].sort((a, b) => b.bytes - a.bytes).slice(0, LARGEST_NAMED);
  const named = largest.map(({ name, bytes }) => `${name} (${inMiB(bytes)})`).join(", ");
  const limit = `at most ${inMiB(TREE_PACKED_BYTES)} packed fit into a run`;
  return refusedStart(`--from ${path}: the files take ${size}; ${limit}. The largest: ${named}.`);
}

const inMiB = (bytes: number): string => `${(bytes / MiB).toFixed(1)} MiB`;

const PROBLEMS_NAMED = 10;

/** From the name that a file has to the path that it gets, or an error that names all that cannot have one. */
function checkedPaths(from: string, found: FoundFile[]): Map<string, string> {
  const paths = new Map<string, string>();
  const taken = new Map<string, string>();
  const problems: string[] = [];
  for (const { name } of found) {
    const checked = checkPath(name);
    const path = "path" in checked ? checked.path : "";
    const twin = taken.get(foldPath(path));
    if ("problem" in checked) problems.push(checked.problem);
    else if (twin) problems.push(`${path} and ${twin} differ only in case or form`);
    else {
      taken.set(foldPath(path), path);
      paths.set(name, path);
    }
  }
  for (const path of paths.values()) {
    const above = parentsOf(path).find((parent) => taken.has(foldPath(parent)));
    if (above) problems.push(`${above} is a file, and ${path} needs it as a folder`);
  }
  if (problems.length === 0) return paths;
  const more = problems.length > PROBLEMS_NAMED ? ` … and ${problems.length - PROBLEMS_NAMED} more` : "";
  throw refusedStart(`--from ${from}: ${problems.slice(0, PROBLEMS_NAMED).join("; ")}${more}.`);
}
