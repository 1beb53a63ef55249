/** Named programs of this computer: the files of the folders of programs, in any notation. */
import { createHash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { hashIn } from "../../core/program/language/calls/label.ts";
import { type Finding, inWords } from "../../core/program/language/finding.ts";
import type { Program } from "../../core/program/language/schema.ts";
import type { NamedPrograms, ProgramName, ProgramPut, ProgramPutResult } from "../../core/program/named-programs.ts";
import type { HomePlace } from "../../host/home-owner.ts";
import { readRegularSync } from "../../host/regular-file.ts";
import { codeOf, explainFile } from "../../host/storage-errors.ts";
import { writePrivate } from "../../host/user-folder.ts";
import { namedFiles } from "./named-files.ts";
import { programFolders } from "./program-folders.ts";

interface NamedFile extends ProgramName {
  path: string;
}

/** `folders`: the first one gets new programs. All programs of this computer have one owner. */
export function createFolderPrograms(folders: readonly string[]): NamedPrograms {
  const files = (): NamedFile[] => namedFiles(folders).map(({ name, path }) => ({ ...described(path), name, path }));
  const named = (name: string): NamedFile | undefined => files().find((each) => each.name === name);
  return {
    list: async () => files().map(shown),
    async find(_owner, called) {
      const hash = hashIn(called);
      const file = hash === undefined ? named(called) : files().find(({ sha256 }) => sha256 === hash);
      return file && { ...shown(file), program: await readLinked(file.path) };
    },
    put: async (_owner, put) => putFile(put, folders, named(put.name)),
    async remove(_owner, name, sha256) {
      const file = named(name);
      if (!file) return "absent";
      if (sha256 !== undefined && file.sha256 !== sha256) return "replaced";
      rmSync(file.path, { force: true });
      return "removed";
    },
  };
}

/** Those that programs of this home call. */
export const folderProgramsOf = (place: HomePlace): NamedPrograms => createFolderPrograms(programFolders(place));

const shown = ({ path: _path, ...entry }: NamedFile): ProgramName => entry;

function described(path: string): Omit<ProgramName, "name"> {
  const bytes = readRegularSync(path);
  return {
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
    at: statSync(path).mtime.toISOString(),
  };
}

/** Late: few commands read or write a program. */
const loadNotations = () => import("../program-file.ts");

/** With the files that it calls; names stay names. */
async function readLinked(path: string): Promise<Program> {
  const { linkProgram, readProgramSource } = await loadNotations();
  const { readProgramData } = await import("../../core/program/language/read-program.ts");
  const source = readProgramSource(path);
  const read = "findings" in source ? source : readProgramData(source);
  if ("findings" in read) throw wrong(path, read.findings);
  const { program, findings } = linkProgram(read.program, {
    path,
    folders: [],
    namesElsewhere: true,
    lint: () => [],
  });
  if (findings.length > 0) throw wrong(path, findings);
  return program;
}

const wrong = (path: string, [first]: Finding[]): UserError =>
  new UserError(`${path}: ${first ? inWords(first) : "it is no program."}`, { exitCode: 2 });

/** A file that is there keeps its notation. */
async function putFile(
  { name, program, replaces }: ProgramPut,
  [folder = ""]: readonly string[],
  was: NamedFile | undefined,
): Promise<ProgramPutResult> {
  const { writeProgram } = await loadNotations();
  const path = was?.path ?? join(folder, `${name}.md`);
  const text = writeProgram(path, program);
  if (was && readRegularSync(was.path).equals(Buffer.from(text))) return { put: shown(was), change: "none" };
  if (was?.sha256 !== replaces) return { conflict: was && shown(was) };
  try {
    writePrivate(path, text);
  } catch (error) {
    throw codeOf(error) === undefined ? error : explainFile(error, path);
  }
  return { put: { ...described(path), name }, change: was ? "replaced" : "created" };
}
