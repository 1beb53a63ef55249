/** Checks a tree of files from outside against the limits of every tree. `from`: its name for the user. */
import type { UserError } from "../core/errors.ts";
import { MiB, TREE_BYTES, TREE_FILES, TREE_PACKED_BYTES } from "../core/limits.ts";
import { checkPath, foldPath, parentsOf } from "../core/text/file-path.ts";
import { sanitizeLine } from "../core/text/sanitize.ts";
import { type FoundFile, refusedStart } from "./found-files.ts";
import { largestParts } from "./largest.ts";
import type { PackEntry } from "./layout.ts";
import { packedBytesOf } from "./pack.ts";

/** From names to paths that a run can have. */
export function checkedTree<File extends Uint8Array | PackEntry>(
  from: string,
  contents: ReadonlyMap<string, File>,
): Map<string, File> {
  const found = [...contents].map(([name, file]) => ({
    name,
    bytes: file instanceof Uint8Array ? file.length : file.size,
  }));
  refuseTooMuch(from, found);
  const files = new Map<string, File>();
  let packed = 0;
  for (const [name, path] of checkedPaths(from, found)) {
    const file = contents.get(name);
    if (!file) continue;
    files.set(path, file);
    packed += packedBytesOf(path, file);
  }
  if (packed > TREE_PACKED_BYTES) throw tooLarge(from, `${inMiB(packed)} when packed`, found);
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
  if (bytes > TREE_BYTES) throw tooLarge(from, inMiB(bytes), found);
}

const LARGEST_NAMED = 3;

function tooLarge(from: string, size: string, found: FoundFile[]): UserError {
  const weighed = found.map(({ name, bytes }) => ({ name, weight: bytes }));
  const largest = largestParts(weighed, LARGEST_NAMED);
  const named = largest.map(({ name, weight }) => `${sanitizeLine(name)} (${inMiB(weight)})`).join(", ");
  const limit = `at most ${TREE_PACKED_BYTES / MiB} MiB packed, ${TREE_BYTES / MiB} MiB unpacked, fit into a run`;
  return refusedStart(`${from}: the files take ${size}; ${limit}. The largest: ${named}.`, SMALLER);
}

const SMALLER = { remedy: "List in .gitignore what the run does not need, or give a folder within it." };

const inMiB = (bytes: number): string => `${(bytes / MiB).toFixed(1)} MiB`;

const PROBLEMS_NAMED = 10;

/** From the name that a file has to the path that it gets, or an error that names all that cannot have one. */
export function checkedPaths(from: string, found: FoundFile[]): Map<string, string> {
  const { paths, problems } = pathsOf(found.map(({ name }) => name));
  if (problems.length === 0) return paths;
  const more = problems.length > PROBLEMS_NAMED ? ` … and ${problems.length - PROBLEMS_NAMED} more` : "";
  throw refusedStart(`${from}: ${problems.slice(0, PROBLEMS_NAMED).join("; ")}${more}.`);
}

/** The names that can be paths, and why the others cannot. */
export function pathsOf(names: Iterable<string>): { paths: Map<string, string>; problems: string[] } {
  const paths = new Map<string, string>();
  const taken = new Map<string, string>();
  const problems: string[] = [];
  for (const name of names) {
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
  return { paths, problems };
}
