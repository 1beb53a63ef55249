/** Executes a check of documents: reads them, and says what it found, and in which lines. */
import { chapterPaths } from "../../program/chapter-files.ts";
import { type ProseFile, proseFile, wordsOf } from "../../prose/book-text.ts";
import { oneLine } from "../../text/cut.ts";
import { pluralize } from "../../text/format.ts";
import type { Outcome } from "../evidence.ts";
import { boundsText, type Count, type DocumentCheck, isDocument, isOfAuthor, type Passage } from "./document-check.ts";
import { linesOfPassage } from "./passage-lines.ts";
import { brokenReferences, foldersOf, hasLinks } from "./references.ts";

export interface Documents {
  /** Of all files of the tree. */
  paths: readonly string[];
  /** Undefined: there is no such file, or it holds no text. */
  read: (path: string) => Promise<string | undefined>;
}

type Found = Pick<Outcome, "status" | "detail">;

/** What holds is said too: where each passage is. */
export async function documentOutcome(check: DocumentCheck, documents: Documents): Promise<Outcome> {
  const found: Found[] = [];
  for (const passage of check.passages ?? []) found.push(await passageOutcome(passage, documents));
  for (const count of check.counts ?? []) found.push(await countOutcome(count, documents));
  const links = check.links ?? [];
  if (links.length > 0) found.push(...(await linkOutcomes(links, documents)));
  const red = found.filter(({ status }) => status !== "passed");
  const shown = red[0] ?? { status: "passed" as const, detail: found.map(({ detail }) => detail).join("; ") };
  const output = red.length > 1 ? red.map(({ detail }) => detail).join("\n") : "";
  return { status: shown.status, detail: oneLine(shown.detail, DETAIL_CHARS), output: output.slice(0, OUTPUT_CHARS) };
}

const DETAIL_CHARS = 240;
const OUTPUT_CHARS = 2_000;
const SHOWN_CHARS = 60;

/** The first document for readers that says one of its passages. */
export async function placeOfPassage({ passages = [] }: DocumentCheck, documents: Documents) {
  for (const path of documents.paths.filter((each) => isDocument(each) && !isOfAuthor(each))) {
    const text = await documents.read(path);
    for (const { words } of text === undefined ? [] : passages)
      if (text !== undefined && linesOfPassage(text, words)) return { path, words };
  }
  return undefined;
}

async function passageOutcome({ path, words }: Passage, { read }: Documents): Promise<Found> {
  const text = await read(path);
  if (text === undefined) return missing(path);
  const lines = linesOfPassage(text, words);
  if (!lines)
    return { status: "refuted", detail: `${path} does not say ${JSON.stringify(oneLine(words, SHOWN_CHARS))}` };
  return { status: "passed", detail: `${path}:${lines.from === lines.to ? lines.from : `${lines.from}-${lines.to}`}` };
}

async function countOutcome(count: Count, { paths, read }: Documents): Promise<Found> {
  const { of, path, least = 0, most = Number.POSITIVE_INFINITY } = count;
  const counted = path === undefined ? chapterPaths([...paths]) : [path];
  const texts = await Promise.all(counted.map(read));
  if (path !== undefined && texts[0] === undefined) return missing(path);
  const files = texts.flatMap((text, at) => (text === undefined ? [] : [proseFile(counted[at] ?? "", text)]));
  const number = of === "chapters" ? files.length : files.reduce((sum, file) => sum + countedIn(file, of), 0);
  const where = path ?? (of === "chapters" ? "the book" : "all chapters");
  const said = `${number} ${of} in ${where}`;
  if (number >= least && number <= most) return { status: "passed", detail: said };
  return { status: files.length === 0 ? "missing" : "refuted", detail: `${said}, not ${boundsText(count)}` };
}

const countedIn = (file: ProseFile, of: "words" | "headings"): number =>
  of === "headings"
    ? file.lines.filter(({ kind }) => kind === "heading").length
    : wordsOf(file, ["text", "heading", "quote", "list"]).length;

async function linkOutcomes(links: readonly string[], { paths, read }: Documents): Promise<Found[]> {
  const files = new Map<string, ProseFile>();
  for (const path of paths.filter((each) => /\.(?:md|markdown)$/i.test(each))) {
    const text = await read(path);
    if (text !== undefined) files.set(path, proseFile(path, text));
  }
  const chapters = chapterPaths([...paths]);
  const shelf = { paths: new Set(paths), folders: foldersOf(paths), files, chapters };
  return links.map((path): Found => {
    const file = files.get(path);
    if (!file) return missing(path);
    const broken = brokenReferences(file, shelf);
    const [first] = broken;
    if (!hasLinks(file)) return { status: "refuted", detail: `${path} has no link` };
    if (!first) return { status: "passed", detail: `all links of ${path} resolve` };
    const more = broken.length > 1 ? `, and ${pluralize(broken.length - 1, "more link")}` : "";
    return { status: "refuted", detail: `${path}:${first.line}: ${first.message}${more}` };
  });
}

const missing = (path: string): Found => ({ status: "missing", detail: `there is no text ${path}` });
