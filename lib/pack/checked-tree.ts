/** Checks a tree of files from outside against the limits of every tree. `from`: its name for the user. */
import type { UserError } from "../core/errors.ts";
import { MiB, TREE_FILES, TREE_PACKED_BYTES } from "../core/limits.ts";
import { checkPath, foldPath, parentsOf } from "../core/text/file-path.ts";
import { sanitizeLine } from "../core/text/sanitize.ts";
import { type FoundFile, refusedStart } from "./found-files.ts";
import { largestParts } from "./largest.ts";
import { packTree } from "./pack.ts";

/** Far above what could be packed into the limit, so that nothing larger is read at all. */
const READ_BYTES = 64 * MiB;

/** From names to paths that a run can have. */
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

export function refuseTooMuch(from: string, found: FoundFile[]): void {
  if (found.length > TREE_FILES) {
    const counted = found.map(({ name }) => ({ name, weight: 1 }));
    const named = largestParts(counted, LARGEST_NAMED).map(({ name, weight }) => `${sanitizeLine(name)} (${weight})`);
    const most = `Most are in: ${named.join(", ")}`;
    throw refusedStart(
      `${from}: it has ${found.length} files; at most ${TREE_FILES} fit into a run. ${most}.`,
      SMALLER,
    );
  }
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > READ_BYTES) throw tooLarge(from, inMiB(bytes), found);
}

const LARGEST_NAMED = 3;

function tooLarge(from: string, size: string, found: FoundFile[]): UserError {
  const weighed = found.map(({ name, bytes }) => ({ name, weight: bytes }));
  const largest = largestParts(weighed, LARGEST_NAMED);
  const named = largest.map(({ name, weight }) => `${sanitizeLine(name)} (${inMiB(weight)})`).join(", ");
  const limit = `at most ${inMiB(TREE_PACKED_BYTES)} packed fit into a run`;
  return refusedStart(`${from}: the files take ${size}; ${limit}. The largest: ${named}.`, SMALLER);
}

const SMALLER = { remedy: "List in .gitignore what the run does not need, or give a folder within it." };

const inMiB = (bytes: number): string => `${(bytes / MiB).toFixed(1)} MiB`;

const PROBLEMS_NAMED = 10;

/** From the name that a file has to the path that it gets, or an error that names all that cannot have one. */
export function checkedPaths(from: string, found: FoundFile[]): Map<string, string> {
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
  throw refusedStart(`${from}: ${problems.slice(0, PROBLEMS_NAMED).join("; ")}${more}.`);
}
