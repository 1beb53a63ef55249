/** The table of contents, which all forms show. */
import { xml } from "../../lib/core/text/xml.ts";
import type { Chapter } from "./chapter.ts";
import type { Book } from "./manuscript.ts";

export interface ContentsEntry {
  chapter: Chapter;
  id: string;
  title: string;
  within: ContentsEntry[];
}

/** A book of one file has its chapters within it: then its headings are the entries. */
export function contentsOf(book: Book): ContentsEntry[] {
  const entry = (chapter: Chapter, { id, title }: { id: string; title: string }): ContentsEntry => ({
    chapter,
    id,
    title: book.typeset(title) || "…",
    within: [],
  });
  const within = (chapter: Chapter): ContentsEntry[] => {
    const headings = [...chapter.headings.values()].filter(({ level, title }) => level <= 2 && title !== "");
    return book.chapters.length > 1 ? [] : headings.map((heading) => entry(chapter, heading));
  };
  return book.chapters.map((chapter) => ({ ...entry(chapter, chapter), within: within(chapter) }));
}

export function renderContents(book: Book, urlOf: (chapter: Chapter, id: string) => string): string {
  const list = (entries: ContentsEntry[]): string => `<ol>\n${entries.map(row).join("")}</ol>\n`;
  const row = ({ chapter, id, title, within }: ContentsEntry): string =>
    `<li><a href="${urlOf(chapter, id)}">${xml(title)}</a>${within.length > 0 ? `\n${list(within)}` : ""}</li>\n`;
  return list(contentsOf(book));
}
