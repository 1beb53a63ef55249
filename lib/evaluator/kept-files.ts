/** Takes over files that a command wrote into its copy of the tree. Everything there is untrusted: links, pipes, sizes. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { KEPT_BYTES, KEPT_FILES } from "../core/limits.ts";
import { compileGlob } from "../core/text/glob.ts";
import type { Verdict } from "../core/verdict/verdict.ts";
import { forEachYielding } from "./process/yielding-loop.ts";
import { listTree, type Tree } from "./tree.ts";

type Kept = NonNullable<NonNullable<Verdict["command"]>["kept"]>;

/** Those that match a glob and are not in the tree as they are now. Too many or too large: none. */
export async function keptFiles(globs: string[], { folder, files: own }: Tree, copied: string): Promise<Kept> {
  const compiled = globs.map(compileGlob).flatMap((glob) => ("problem" in glob ? [] : [glob]));
  const { files: present } = await listTree(copied);
  const wanted = present.filter((path) => compiled.some((glob) => glob.matches(path)));
  const known = new Set(own);
  const files: Kept["files"] = [];
  let bytes = 0;
  let isTooMuch = false;
  await forEachYielding(wanted, (path) => {
    if (isTooMuch) return;
    const before = known.has(path) ? readFileSync(join(folder, path)) : undefined;
    const content = readWithin(join(copied, path), Math.max(KEPT_BYTES, before?.length ?? 0));
    if (content === "absent" || (content !== "too large" && before?.equals(content))) return;
    bytes += content === "too large" ? Number.POSITIVE_INFINITY : content.length;
    isTooMuch = bytes > KEPT_BYTES || files.length === KEPT_FILES;
    if (content !== "too large") files.push({ path, base64: content.toString("base64") });
  });
  return isTooMuch ? { files: [], refused: TOO_MUCH } : { files };
}

const TOO_MUCH = `of one command at most ${KEPT_FILES} files and ${KEPT_BYTES / 1024} KiB are kept together, and more was written`;

/** A regular file of just this place. What is left of the command may still exchange it for a link or a pipe. */
function readWithin(path: string, most: number): Buffer | "absent" | "too large" {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile() || found.nlink > 1 || placeOf(file, path) !== path) return "absent";
    return found.size > most ? "too large" : readFileSync(file);
  } catch {
    return "absent";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const placeOf = (file: number, path: string): string =>
  process.platform === "linux" ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync(path);
