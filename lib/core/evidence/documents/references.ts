/** References that lead nowhere: links and pictures without a file, places without a heading, chapters that are none. Pure. */
import type { ProseFile, ProseLine } from "../../prose/book-text.ts";

export interface BrokenReference {
  /** From 1. */
  line: number;
  message: string;
}

export interface Shelf {
  /** Every file of the tree. */
  paths: Set<string>;
  /** Every folder that a file lies in. */
  folders: Set<string>;
  /** Every Markdown file that was read. */
  files: Map<string, ProseFile>;
  chapters: string[];
}

export function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set(["."]);
  for (const path of paths)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
  return folders;
}

const FINDINGS_OF_A_FILE = 20;

export function brokenReferences(file: ProseFile, shelf: Shelf): BrokenReference[] {
  const findings: BrokenReference[] = [];
  for (const line of file.lines) {
    if (line.kind === "code" || findings.length >= FINDINGS_OF_A_FILE) continue;
    const text = line.text.replace(/`[^`]*`/g, "");
    for (const target of targetsIn(text)) {
      const message = problemOf(target, file.path, shelf);
      if (message) findings.push({ line: line.number, message });
    }
    findings.push(...missingChapters(line, shelf));
  }
  return findings;
}

/** One that leads anywhere; pictures are none. */
export const hasLinks = ({ lines }: ProseFile): boolean =>
  lines.some(
    ({ kind, text }) =>
      kind !== "code" &&
      targetsIn(text.replace(/`[^`]*`/g, "").replace(/!\[[^\][]{0,500}\]\([^()]{0,2000}\)/g, "")).some(
        (target) => target !== "" && target !== "#",
      ),
  );

/** Inline links and pictures, and the definitions of those that are written in two parts. */
function targetsIn(text: string): string[] {
  const inline = [...text.matchAll(/\]\(\s*(?:<([^<>\n]*)>|((?:[^()\s<>]|\([^()\s<>]*\))+))/g)];
  const defined = /^ {0,3}\[[^\][\n^]{1,200}\]:\s*<?([^\s<>]+)>?/.exec(text)?.[1];
  return [...inline.map(([, quoted, bare]) => quoted ?? bare ?? ""), ...(defined ? [defined] : [])];
}

function problemOf(target: string, from: string, shelf: Shelf): string | undefined {
  if (target === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)) return undefined;
  const [file = "", fragment = ""] = target.split("#", 2).map(decoded);
  const path = file === "" ? from : pathOf(file.replace(/\?.*$/s, ""), from, shelf);
  if (path === undefined) return `"${shown(target)}" leads to no file`;
  const there = shelf.files.get(path);
  if (fragment === "" || !there || placesIn(there).has(simple(fragment))) return undefined;
  return `"${shown(target)}" leads to no heading of ${path}`;
}

/** From the file's folder, or from the top; a folder is a place too. */
function pathOf(file: string, from: string, { paths, folders }: Shelf): string | undefined {
  const top = normalized(file);
  const beside = normalized(`${from.slice(0, from.lastIndexOf("/") + 1)}${file}`);
  const isThere = (path: string): boolean => paths.has(path) || folders.has(path.replace(/(?<!\/)\/+$/, ""));
  return [...(file.startsWith("/") ? [] : [beside]), top].find(isThere);
}

/** Without `.` and, as far as it goes, without `..`. A slash at its end stays: it is of a folder. */
function normalized(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else kept.push(segment);
  }
  const whole = kept.join("/") || ".";
  return path.endsWith("/") && whole !== "." ? `${whole}/` : whole;
}

const places = new WeakMap<ProseFile, Set<string>>();

/** Those that software makes of headings differ in their marks: letters and digits alone are compared. */
function placesIn(file: ProseFile): Set<string> {
  const known = places.get(file);
  if (known) return known;
  const found = new Set<string>();
  for (const { text, kind } of file.lines) {
    for (const [, id = ""] of text.matchAll(/(?:\bid\s*=\s*|\bname\s*=\s*|\{#)["']?([^\s"'}>]+)/g))
      found.add(simple(id));
    if (kind === "heading") found.add(simple(withoutAnchors(text).replace(/\]\([^()]*\)/g, "")));
  }
  for (const [at, { text }] of file.lines.entries())
    if (UNDERLINE.test(text)) found.add(simple(file.lines[at - 1]?.text ?? ""));
  places.set(file, found);
  return found;
}

/** Where one is closed at all: those that are not would be searched to the end, each. */
function withoutAnchors(text: string): string {
  const closed = text.lastIndexOf("}") + 1;
  return text.slice(0, closed).replace(/\{#[^{}]*\}/g, "") + text.slice(closed);
}

const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;

/** The second heading of one name has a number at its end. */
const simple = (text: string): string =>
  text
    .toLowerCase()
    .replace(/-\d+$/, "")
    .replace(/[^\p{L}\p{N}]/gu, "");

const CHAPTER = /\b(?:see(?: also)?|in|from|until|of|cf\.) chapters? (\d{1,3})\b(?!\s+(?:of|in)\b|[.:]\d)/gi;

function missingChapters({ text, number, kind }: ProseLine, shelf: Shelf): BrokenReference[] {
  const last = lastChapter(shelf);
  if (kind === "quote" || last === 0) return [];
  return [...text.matchAll(CHAPTER)].flatMap(([, named = ""]) =>
    Number(named) > last ? [{ line: number, message: `there is no chapter ${named}: there are ${last}` }] : [],
  );
}

function lastChapter({ chapters }: Shelf): number {
  const named = chapters.map((path) => Number(/(\d{1,3})[^/]*$/.exec(path)?.[1] ?? 0));
  return chapters.length === 0 ? 0 : Math.max(chapters.length, ...named);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const shown = (target: string): string => target.slice(0, 120);
