/** A program from a file: the notation follows from the file's name. What a program is, `core/program/language` knows. */
import { statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { INVOCATION_PAYLOAD_BYTES } from "../core/limits.ts";
import type { LinkedProgram } from "../core/program/language/calls/link.ts";
import { type Finding, inWords } from "../core/program/language/finding.ts";
import { errorsIn } from "../core/program/language/lint/lint.ts";
import type { LintOptions } from "../core/program/language/lint/needs.ts";
import { readMarkdown } from "../core/program/language/markdown/read-markdown.ts";
import { renderMarkdown } from "../core/program/language/markdown/render-markdown.ts";
import { dataOf } from "../core/program/language/program-data.ts";
import type { Program } from "../core/program/language/schema.ts";
import type { Draft } from "../core/program/program.ts";
import { readDraft } from "../core/program/program-text.ts";
import { readRegularSync } from "../host/regular-file.ts";
import { codeOf } from "../host/storage-errors.ts";
import { linkFiles, type ProgramPlace } from "./program/called-programs.ts";
import { type ReadSource, readJson, readYaml, writeYaml } from "./program/yaml-source.ts";
import { type ImportedTasks, importTasks, REQUIREMENT_FILE, taskListOf } from "./spec-kit/import-tasks.ts";

interface Notation {
  read: (text: string) => ReadSource;
  write: (program: Program) => string;
}

const markdown: Notation = { read: readMarkdown, write: renderMarkdown };
const yaml: Notation = { read: (text) => readYaml(text), write: (program) => writeYaml(dataOf(program)) };
const json: Notation = { read: readJson, write: (program) => `${JSON.stringify(dataOf(program), null, 2)}\n` };
const NOTATIONS: Record<string, Notation> = {
  ".md": markdown,
  ".markdown": markdown,
  ".json": json,
  ".yaml": yaml,
  ".yml": yaml,
};

/** Larger ones are not read: no request of the API holds more. */
const FILE_BYTES = INVOCATION_PAYLOAD_BYTES;

/** `folders`: where programs that it calls by name are found. */
export const readProgram = (path: string, folders: readonly string[] = [], options: LintOptions = {}): Draft =>
  readProgramFile(path, folders, options).draft;

export interface ProgramRead {
  draft: Draft;
  /** What was left out or assumed, each a sentence. */
  notices: string[];
}

export function readProgramFile(path: string, folders: readonly string[] = [], options: LintOptions = {}): ProgramRead {
  const source = readProgramSource(path);
  const called: LinkedProgram["called"] = [];
  const link = (program: Program): LinkedProgram => {
    const { namesElsewhere } = options;
    const linked = linkProgram(program, { path, folders, namesElsewhere, lint: errorsIn });
    called.push(...linked.called);
    return linked;
  };
  const read = readDraft(source, { link, ...options });
  if ("draft" in read) return { draft: read.draft, notices: [...noticesOf(source), ...calledInWords(called)] };
  const [first, ...others] = read.findings;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  throw new UserError(`${path}: ${first ? inWords(first) : ""}${more}`, {
    exitCode: 2,
    remedy: { command: "plan", args: ["--lint", path], note: "names all that is wrong" },
  });
}

/** With the programs that it calls, each by the file that it is read from. */
export const linkProgram = (
  program: Program,
  { lint, ...place }: Omit<ProgramPlace, "read"> & { lint: (program: Program) => Finding[] },
): LinkedProgram => linkFiles(program, { ...place, read: (path) => notationOf(path).read(textOf(path)) }, lint);

/** A name can be found in several folders. */
export const calledInWords = (called: LinkedProgram["called"]): string[] =>
  called.filter(({ program, name }) => program !== name).map(({ program, name }) => `${program} is ${name}.`);

/** A task list of spec-kit is read as a program. */
export function readProgramSource(path: string): ReadSource | ImportedTasks {
  const notation = notationOf(path);
  const text = textOf(path);
  const tool = notation === markdown ? taskListOf(resolve(path), text) : undefined;
  if (tool === undefined) return notation.read(text);
  if (tool === "spec-kit") return importTasks(text, textBeside(join(dirname(path), REQUIREMENT_FILE)));
  throw new UserError(`${path}: task lists of ${tool} are not read any more.`, {
    exitCode: 2,
    remedy: "Copy its open tasks to a file of another name, such as program.md: each item of a list is an instruction.",
  });
}

export const noticesOf = (source: ReadSource | ImportedTasks): string[] => ("notices" in source ? source.notices : []);

function textBeside(path: string): string | undefined {
  try {
    return textOf(path);
  } catch {
    return undefined;
  }
}

export const writeProgram = (path: string, program: Program): string => notationOf(path).write(program);

function notationOf(path: string): Notation {
  const notation = NOTATIONS[extname(path).toLowerCase()];
  if (!notation) throw refused(`${path}: a program's name ends in .md, .yaml, .yml or .json.`);
  return notation;
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES) throw new Error(`it has ${size} bytes; at most ${FILE_BYTES} are read`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readRegularSync(path));
  } catch (error) {
    const why = codeOf(error) === "ENOENT" ? "there is no such file" : firstLine(error);
    throw refused(`${path} cannot be read: ${why}.`, error);
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";

const refused = (message: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: 2, remedy: "docs/programs.md shows the three notations of a program.", cause });
