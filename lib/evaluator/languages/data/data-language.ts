/** Languages of data: files that are well formed or not. They are parsed in our own process, so their size is bounded. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { KiB, MiB } from "../../../core/limits.ts";
import { headAndTail } from "../../../core/text/cut.ts";
import { sanitize } from "../../../core/text/sanitize.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
import { type CheckRequest, type Language, nothingToCheck, type SyntaxResult, type Workspace } from "../../language.ts";
import type { Tree } from "../../tree.ts";
import { decoded } from "./decoded.ts";
import { createIsAdvice, isSetting } from "./severity.ts";
import { isTestData } from "./test-data.ts";

export interface Problem {
  /** From 1. */
  line: number;
  column: number;
  message: string;
  /** Most readers pass over it: advice, but in settings. */
  mild?: true;
}

export interface DataFormat {
  name: string;
  /** What its findings are called. */
  rule: string;
  owns(path: string): boolean;
  /** What is wrong with it, in order. It may run out of stack: then nothing is known of the file. */
  problemsIn(text: string, path: string): Problem[] | Promise<Problem[]>;
  /** True of what another kind of the same tree reports already. */
  reportedElsewhere?(path: string, request: CheckRequest): boolean;
  /** Of one file: larger ones are not looked at. Absent: 1 MiB. */
  fileBytes?: number;
  /** Of all files of one check. Absent: 8 MiB. */
  bytes?: number;
  /** True of a format whose files may say that they are in another encoding than UTF-8. */
  declaresEncoding?: boolean;
  /** More that needs programs to be known; asked of files that have no problem. A status: that cannot be known. */
  also?(files: DataFile[], workspace: Workspace): Promise<Finding[] | SyntaxResult>;
}

export interface DataFile {
  path: string;
  text: string;
}

const FILE_BYTES = 1 * MiB;
const BYTES = 8 * MiB;
/** The first mistake in a file is the cause of most others. */
const PROBLEMS_OF_A_FILE = 5;
const MESSAGE_CHARS = 300;

export function createDataLanguage(format: DataFormat): Language {
  return {
    name: format.name,
    owns: format.owns,
    async syntax(request, workspace) {
      const there = new Set(request.tree.files);
      const files = (request.paths ?? request.tree.files).filter(
        (path) => there.has(path) && format.owns(path) && !format.reportedElsewhere?.(path, request),
      );
      return files.length === 0 ? nothingToCheck : check(format, files, { request, workspace });
    },
  };
}

async function check(
  format: DataFormat,
  files: string[],
  { request, workspace }: { request: CheckRequest; workspace: Workspace },
): Promise<SyntaxResult> {
  const { sound, found, unread } = await readAll(format, files, request.tree.folder);
  const more = sound.length > 0 && format.also ? await format.also(sound, workspace) : [];
  if (!Array.isArray(more)) return more;
  found.push(...more);
  const { errors, warnings } = await weighed(found, unread, request.tree);
  const advice = warnings.length > 0 ? { warnings } : {};
  if (errors.length > 0) return { status: "failed", errors, ...advice };
  return unread.length === files.length ? { ...nothingToCheck, ...advice } : { status: "passed", errors, ...advice };
}

async function weighed(found: FoundProblem[], unread: Finding[], tree: Tree) {
  const isAdvice = createIsAdvice(tree);
  const errors: Finding[] = [];
  const warnings = [...unread];
  for (const { mild, ...finding } of found) {
    const { path } = finding;
    const advice = isTestData(path) || (mild && !isSetting(path)) || (await isAdvice(path));
    (advice ? warnings : errors).push(finding);
  }
  return { errors, warnings };
}

type FoundProblem = Finding & Pick<Problem, "mild">;

interface FilesRead {
  sound: DataFile[];
  found: FoundProblem[];
  /** What was too large, as warnings: nothing is known of it. */
  unread: Finding[];
}

async function readAll(format: DataFormat, files: string[], folder: string): Promise<FilesRead> {
  const { rule, fileBytes = FILE_BYTES, bytes = BYTES } = format;
  const read: FilesRead = { sound: [], found: [], unread: [] };
  let left = bytes;
  for (const path of files) {
    const { size } = await stat(join(folder, path));
    if (size > fileBytes || size > left) {
      const message =
        size > fileBytes
          ? `not checked: it is larger than ${fileBytes / KiB} KiB`
          : `not checked: there is more than ${bytes / MiB} MiB of ${format.name} here`;
      read.unread.push({ path, message, rule });
      continue;
    }
    left -= size;
    const file = decoded(await readFile(join(folder, path)), format);
    const problems = "text" in file ? await problemsIn(format, file.text, path) : [file];
    if (!problems) {
      read.unread.push({ path, message: "not checked: it is nested too deeply to be read", rule });
      continue;
    }
    if ("text" in file && problems.length === 0) read.sound.push({ path, text: file.text });
    const shown = problems.slice(0, PROBLEMS_OF_A_FILE);
    read.found.push(
      ...shown.map(({ message, ...at }) => ({
        path,
        ...at,
        message: headAndTail(sanitize(message), MESSAGE_CHARS),
        rule,
      })),
    );
  }
  return read;
}

async function problemsIn(format: DataFormat, text: string, path: string): Promise<Problem[] | undefined> {
  try {
    return await format.problemsIn(text, path);
  } catch (problem) {
    // The only one that a parser written in JavaScript throws for want of room.
    if (!(problem instanceof RangeError)) throw problem;
    return undefined;
  }
}
