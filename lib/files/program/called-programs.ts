/** Finds the programs that a program calls: files beside it, and those of the folders of programs. */
import { createHash } from "node:crypto";
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { UserError } from "../../core/errors.ts";
import { hashIn, isProgramName, PROGRAM_FILE } from "../../core/program/language/calls/label.ts";
import { type CallAnswer, type CallReference, linkCalls, linkNow } from "../../core/program/language/calls/link.ts";
import { FilePath } from "../../core/program/language/condition.ts";
import type { Finding } from "../../core/program/language/finding.ts";
import { readProgramData } from "../../core/program/language/read-program.ts";
import type { Program } from "../../core/program/language/schema.ts";
import { readRegularSync } from "../../host/regular-file.ts";
import type { ReadSource } from "./yaml-source.ts";

export interface ProgramPlace {
  /** The file of the program. */
  path: string;
  /** Where programs are found by name, the first one first. */
  folders: readonly string[];
  read: (path: string) => ReadSource;
}

/** Of a folder; more are not looked at for a hash. */
const FILES = 1_000;
const ENDINGS = [".md", ".markdown", ".yaml", ".yml", ".json"];

export function linkFiles(program: Program, place: ProgramPlace, lint: (program: Program) => Finding[]) {
  const top = dirname(place.path);
  const origin = keyOf(place.path);
  const answer = ({ program: called, from }: CallReference): CallAnswer => {
    const found = findFile(called, { ...place, from: from ?? place.path });
    return "problem" in found ? found : readCalled(found.path, top, place.read);
  };
  return linkNow(linkCalls(program, { lint, origin: { key: origin, name: basename(place.path) } }), answer);
}

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

function findFile(called: string, { from, folders }: { from: string; folders: readonly string[] }): FoundFile {
  const hash = hashIn(called);
  if (hash !== undefined) return findHash(hash, [...folders, dirname(from)]);
  if (isProgramName(called)) {
    const paths = folders.flatMap((folder) => ENDINGS.map((ending) => join(folder, `${called}${ending}`)));
    const path = paths.find(isFile);
    return path === undefined
      ? { problem: `there is no program \`${called}\` in ${inWords(folders)}.`, remedy: PATH_REMEDY }
      : { path };
  }
  if (!PROGRAM_FILE.test(called) || !FilePath.safeParse(called).success)
    return { problem: `\`${called}\` is no program that can be called.`, remedy: FORMS };
  const path = join(dirname(from), called);
  return isFile(path) ? { path } : { problem: `there is no file ${called} beside the program.` };
}

const FORMS =
  "Write the path of a file, such as steps/tests.md, relative and without `..`; a name; or sha256: and 64 digits.";
const PATH_REMEDY = "The file of a program has its ending, such as tests.md.";

const inWords = (folders: readonly string[]): string => folders.join(" or ") || "any folder";

/** The hash is that of the bytes of a file, as `sha256sum` prints it. */
function findHash(hash: string, folders: readonly string[]): FoundFile {
  for (const folder of folders) {
    const path = programsIn(folder).find((each) => sha256Of(each) === hash);
    if (path !== undefined) return { path };
  }
  return { problem: `no program in ${inWords(folders)} has this hash.` };
}

function programsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => PROGRAM_FILE.test(name));
    return names
      .toSorted()
      .slice(0, FILES)
      .map((name) => join(folder, name))
      .filter(isFile);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function sha256Of(path: string): string | undefined {
  try {
    return createHash("sha256").update(readRegularSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}
