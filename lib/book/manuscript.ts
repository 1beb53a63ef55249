/** From the files of a run to a book: which are chapters, what it is called, in which language it is written. */

import { chapterPaths } from "../core/program/chapter-files.ts";
import { withoutForbidden } from "../core/text/xml.ts";
import { type Chapter, readChapter } from "./chapter.ts";
import { type Language, languageOf } from "./language.ts";
import { markdownReader } from "./markdown.ts";
import { readSource } from "./source.ts";
import { titleOfOutline } from "./title.ts";
import { type Typeset, typesetter } from "./typography.ts";

export interface Manuscript {
  files: Map<string, Uint8Array>;
  /** What the book is called if its outline does not say. */
  title: string;
  /** The run's id: its time is the book's. */
  id: string;
}

export interface Book {
  id: string;
  title: string;
  language: Language;
  typeset: Typeset;
  chapters: Chapter[];
  /** The whole tree: pictures are taken from it. */
  files: Map<string, Uint8Array>;
}

/** More Markdown than twice War and Peace is no book, and would keep the handler busy for minutes. */
const BYTES_AT_MOST = 8_000_000;

/** A book must be called something. */
const NAMELESS = "…";

/** Enough to know a language by; looking at more would only cost time. */
const SAMPLE_CHARACTERS = 20_000;

export function readManuscript({ files, title, id }: Manuscript): Book | undefined {
  const paths = chapterPaths([...files.keys()]);
  const contents = paths.map((path) => files.get(path) ?? new Uint8Array());
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  if (paths.length === 0 || bytes > BYTES_AT_MOST) return undefined;

  const sources = contents.map(readSource);
  const sample = sources.map((source) => source.slice(0, SAMPLE_CHARACTERS / sources.length + 500)).join("\n");
  const language = languageOf(sample);
  const typeset = typesetter(language.code);
  const read = markdownReader();
  const outline = files.get("outline.md");
  const named = (outline && titleOfOutline(read(readSource(outline)))) ?? title;
  const chapters = paths.map((path, index) =>
    readChapter({ path, number: index + 1, tokens: read(sources[index] ?? "") }),
  );
  const shown = withoutForbidden(typeset(named)).trim() || NAMELESS;
  return { id, title: shown, language, typeset, chapters, files };
}
