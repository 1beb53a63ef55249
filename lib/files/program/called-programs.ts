/** Finds the programs that a program calls: files beside it, and those of the folders of programs. */
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../../core/errors.ts";
import { INVOCATION_PAYLOAD_BYTES } from "../../core/limits.ts";
import { hashIn, isFoundByName, isProgramName, PROGRAM_FILE } from "../../core/program/language/calls/label.ts";
import { type CallAnswer, type CallReference, linkCalls, linkNow } from "../../core/program/language/calls/link.ts";
import { FilePath } from "../../core/program/language/condition.ts";
import type { Finding } from "../../core/program/language/finding.ts";
import { readProgramData } from "../../core/program/language/read-program.ts";
import type { Program } from "../../core/program/language/schema.ts";
import { readRegularSync } from "../../host/regular-file.ts";
import { isFile, namedFile, programsIn } from "./named-files.ts";
import type { ReadSource } from "./yaml-source.ts";

export interface ProgramPlace {
  /** The file of the program. */
  path: string;
  /** Where programs are found by name, the first one first. */
  folders: readonly string[];
  read: (path: string) => ReadSource;
  /** What is not found by its name here is left to where the program is submitted. */
  namesElsewhere?: boolean | undefined;
}

export function linkFiles(program: Program, place: ProgramPlace, lint: (program: Program) => Finding[]) {
  const top = dirname(place.path);
  const origin = keyOf(place.path);
  const roots = [top, ...place.folders];
  const hashes: Hashes = new Map();
  const read = once((path: string) => readCalled(path, top, place.read));
  const find = once((folder: string) =>
    once((called: string): CallAnswer => {
      const found = findFile(called, { folder, folders: place.folders, hashes });
      if ("problem" in found) return place.namesElsewhere && isFoundByName(called) ? { elsewhere: true } : found;
      const isInside = roots.some((root) => isBelow(keyOf(root), keyOf(found.path)));
      return isInside ? read(found.path) : { problem: `${called} leads out of ${inWords(roots)}.`, remedy: COPY };
    }),
  );
  const answer = ({ program: called, from = place.path }: CallReference): CallAnswer => find(dirname(from))(called);
  return linkNow(linkCalls(program, { lint, origin: { key: origin, name: basename(place.path) } }), answer);
}

/** A program can be called thousands of times. */
function once<Result>(work: (key: string) => Result): (key: string) => Result {
  const done = new Map<string, Result>();
  return (key) => {
    const known = done.get(key);
    if (known !== undefined) return known;
    const result = work(key);
    done.set(key, result);
    return result;
  };
}

/** After links were followed. */
function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const COPY = "Copy the file to where the program is.";

function readCalled(path: string, top: string, readSource: ProgramPlace["read"]): CallAnswer {
  const name = shownPath(path, top);
  try {
    const source = readSource(path);
    const read = "findings" in source ? source : readProgramData(source);
    if ("findings" in read) return { findings: read.findings.map((finding) => ({ ...finding, file: name })) };
    const placeOf = "placeOf" in source ? source.placeOf : () => undefined;
    return { found: { key: keyOf(path), name, program: read.program, placeOf } };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

function keyOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Short where it is below the program. */
function shownPath(path: string, top: string): string {
  const short = relative(top, path).replaceAll("\\", "/");
  return short.startsWith("../") ? path : short;
}

type FoundFile = { path: string } | { problem: string; remedy?: string };

/** Paths by hash, of each folder. */
type Hashes = Map<string, ReadonlyMap<string, string>>;

interface SearchPlace {
  /** Of the calling file. */
  folder: string;
  folders: readonly string[];
  hashes: Hashes;
}

function findFile(called: string, { folder: own, folders, hashes }: SearchPlace): FoundFile {
  const hash = hashIn(called);
  if (hash !== undefined) return findHash(hash, [...folders, own], hashes);
  if (isProgramName(called)) {
    const path = namedFile(called, folders);
    return path === undefined
      ? { problem: `there is no program \`${called}\` in ${inWords(folders)}.`, remedy: PATH_REMEDY }
      : { path };
  }
  if (!PROGRAM_FILE.test(called) || !FilePath.safeParse(called).success)
    return { problem: `\`${called}\` is no program that can be called.`, remedy: FORMS };
  const path = join(own, called);
  return isFile(path) ? { path } : { problem: `there is no file ${called} beside the program.` };
}

const FORMS =
  "Write the path of a file, such as steps/tests.md, relative and without `..`; a name; or sha256: and 64 digits.";
const PATH_REMEDY = "The file of a program has its ending, such as tests.md.";

const inWords = (folders: readonly string[]): string => folders.join(" or ") || "any folder";

/** The hash is that of the bytes of a file, as `sha256sum` prints it. */
function findHash(hash: string, folders: readonly string[], hashes: Hashes): FoundFile {
  for (const folder of folders) {
    const known = hashes.get(folder) ?? hashesIn(folder);
    hashes.set(folder, known);
    const path = known.get(hash);
    if (path !== undefined) return { path };
  }
  return { problem: `no program in ${inWords(folders)} has this hash.` };
}

/** The first of equal files. */
const hashesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    programsIn(folder)
      .toReversed()
      .flatMap((path) => {
        const hash = sha256Of(path);
        return hash === undefined ? [] : [[hash, path]];
      }),
  );

/** Undefined: it cannot be read, or is larger than any program. */
function sha256Of(path: string): string | undefined {
  try {
    if (statSync(path).size > INVOCATION_PAYLOAD_BYTES) return undefined;
    return createHash("sha256").update(readRegularSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}
