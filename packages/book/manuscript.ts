/** Reads the files of a run as a book: chapters, title and language. */
import { chapterPaths } from "../../lib/core/program/chapter-files.ts";
import { withoutForbidden } from "../../lib/core/text/xml.ts";
import { type Chapter, readChapter } from "./chapter.ts";
import { markdownReader } from "./markdown.ts";
import { titleOfOutline } from "./title.ts";
import { type Typeset, typesetter } from "./typography.ts";

export interface Manuscript {
  files: Map<string, Uint8Array>;
  /** The title of the book if its outline has none. */
  title: string;
  /** Of the run: its time is the book's. */
  id: string;
}

export interface Language {
  /** A BCP 47 tag: for hyphenation, and for voices that read aloud. */
  code: string;
  direction: "ltr" | "rtl";
}

export interface Book {
  id: string;
  title: string;
  language: Language;
  typeset: Typeset;
  chapters: Chapter[];
  /** Of its Markdown. */
  bytes: number;
  /** The whole tree: pictures are taken from it. */
  files: Map<string, Uint8Array>;
}

/** More Markdown than twice War and Peace is no book, and would keep the handler busy for minutes. */
const BYTES_AT_MOST = 8_000_000;

/** A book must be called something. */
const NAMELESS = "…";

export function readManuscript({ files, title, id }: Manuscript): Book | undefined {
  const paths = chapterPaths([...files.keys()]);
  const contents = paths.map((path) => files.get(path) ?? new Uint8Array());
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  if (paths.length === 0 || bytes > BYTES_AT_MOST) return undefined;

  const sources = contents.map(readSource);
  const outline = readSource(files.get("outline.md") ?? new Uint8Array());
  const language = languageIn([outline, ...sources]);
  const typeset = typesetter(language.code);
  const read = markdownReader();
  const named = titleOfOutline(read(outline.text)) ?? title;
  const chapters = paths.map((path, index) =>
    readChapter({ path, number: index + 1, tokens: read(sources[index]?.text ?? "") }),
  );
  const shown = withoutForbidden(typeset(named)).trim() || NAMELESS;
  return { id, title: shown, language, typeset, chapters, bytes, files };
}

interface Source {
  /** Settings before the text, which readers do not see. */
  frontMatter: string;
  text: string;
}

/** Lenient: a chapter with an invalid byte is still a chapter. Drops a byte order mark. */
const decoder = new TextDecoder("utf-8");

function readSource(content: Uint8Array): Source {
  const source = decoder.decode(content).replace(/\r\n?/g, "\n");
  const frontMatter = source.slice(0, endOfFrontMatter(source));
  return { frontMatter, text: source.slice(frontMatter.length) };
}

const SETTING = /^(?:[\w-]+:|[ \t]|- )/;

/** Line by line: a poem after a rule looks like settings until its end. */
function endOfFrontMatter(source: string): number {
  let at = source.startsWith("---\n") ? 4 : 0;
  if (at === 0) return 0;
  for (let settings = 0; at < source.length; settings += 1) {
    const feed = source.indexOf("\n", at);
    const line = source.slice(at, feed === -1 ? source.length : feed);
    at += line.length + 1;
    if (line === "---" && settings > 0) return Math.min(at, source.length);
    if (feed === -1 || !SETTING.test(line)) return 0;
  }
  return 0;
}

/** `lang: de` in the front matter of the outline, or of a chapter. */
function languageIn(sources: Source[]): Language {
  const declared = sources.flatMap(
    ({ frontMatter }) => /^lang(?:uage)?:[ \t]*["']?([\w-]+)["']?[ \t]*$/im.exec(frontMatter)?.[1] ?? [],
  );
  const [code = "en"] = declared.flatMap(canonicalTag);
  return { code, direction: RIGHT_TO_LEFT.test(code) ? "rtl" : "ltr" };
}

const RIGHT_TO_LEFT = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/;

function canonicalTag(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag);
  } catch {
    return [];
  }
}
