/** A book's text: looked at in the files that an instruction changed, with the rest of the book beside them. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { KiB, MiB } from "../../core/limits.ts";
import { chapterPaths } from "../../core/program/chapter-files.ts";
import type { WordBudget } from "../../core/program/word-budget.ts";
import { type ProseFile, proseFile } from "../../core/prose/book-text.ts";
import { type Finding, PROSE } from "../../core/verdict/verdict.ts";
import { nothingToCheck, type SyntaxResult } from "../language.ts";
import type { ChangedFile } from "../stubs/changed-stubs.ts";
import type { Tree } from "../tree.ts";
import { metaText } from "./meta-text.ts";
import { repeatedPassages } from "./repeated.ts";
import { wordFindings } from "./words.ts";

export interface ProseRequest {
  /** These files by themselves; absent: all that changed, in their book. */
  paths?: string[];
  words?: WordBudget;
}

/** What differs from the last accepted tree. What came with the task, or was accepted, is not judged again. */
export async function checkProse(tree: Tree, request: ProseRequest, changed: ChangedFile[]): Promise<SyntaxResult> {
  const book = await readBook(tree, request.paths);
  const touched = new Set(changed.map(({ path }) => path));
  const isJudged = (path: string): boolean => touched.has(path) && (!request.paths || request.paths.includes(path));
  const judged = book.files.filter(({ path }) => isJudged(path));
  const chapters = book.files.filter(({ path }) => book.chapters.includes(path));
  const errors = [
    ...judged.flatMap(metaText),
    ...repeatedPassages(chapters, isJudged),
    ...(request.words ? wordFindings(writtenIn(judged, book.chapters, changed), request.words) : []),
  ];
  const warnings = book.unread;
  const advice = warnings.length > 0 ? { warnings } : {};
  if (errors.length > 0) return { status: "failed", reason: PROSE, errors, ...advice };
  return book.files.length > 0
    ? { status: "passed", reason: PROSE, errors, ...advice }
    : { ...nothingToCheck, ...advice };
}

/** Of what a reader reads. */
interface Book {
  files: ProseFile[];
  chapters: string[];
  /** What was too large. */
  unread: Finding[];
}

/** Outline and notes are the author's own. */
const isReading = (path: string, chapters: string[]): boolean => chapters.includes(path) || /^readme\.md$/i.test(path);

const FILE_BYTES = 1 * MiB;
/** More than any book; its words are counted in a second. */
const BYTES = 8 * MiB;

/** Where only some paths are asked for, only they are read: what a write costs does not grow with the book. */
async function readBook(tree: Tree, paths: string[] | undefined): Promise<Book> {
  const book: Book = { files: [], chapters: chapterPaths(tree.files), unread: [] };
  let left = BYTES;
  for (const path of tree.files) {
    if (!isReading(path, book.chapters) || (paths && !paths.includes(path))) continue;
    const { size } = await stat(join(tree.folder, path));
    if (size > Math.min(FILE_BYTES, left)) {
      const message =
        size > FILE_BYTES ? `it is larger than ${FILE_BYTES / KiB} KiB` : `the book is larger than ${BYTES / MiB} MiB`;
      book.unread.push({ path, message: `not checked: ${message}`, rule: "prose" });
      continue;
    }
    left -= size;
    book.files.push(proseFile(path, await readFile(join(tree.folder, path), "utf8")));
  }
  return book;
}

/** An instruction that writes chapters is asked for their length, whatever it mends in others on the way. */
function writtenIn(judged: ProseFile[], chapters: string[], changed: ChangedFile[]): ProseFile[] {
  const fresh = new Set(changed.flatMap(({ path, before }) => (before ? [] : [path])));
  const written = judged.filter(({ path }) => chapters.includes(path));
  const isNew = written.filter(({ path }) => fresh.has(path));
  return isNew.length > 0 ? isNew : written;
}
