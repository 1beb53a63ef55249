/** The table of contents, which both forms show. */
import { xml } from "../core/text/xml.ts";
import type { Chapter } from "./chapter.ts";
import type { Book } from "./manuscript.ts";

/** A book of one file has its chapters within it: then its headings are the entries. */
export function renderContents(book: Book, urlOf: (chapter: Chapter, id: string) => string): string {
  const entry = (chapter: Chapter, { id, title }: { id: string; title: string }): string =>
    `<a href="${urlOf(chapter, id)}">${xml(book.typeset(title)) || "…"}</a>`;
  const inner = (chapter: Chapter): string => {
    const headings = [...chapter.headings.values()].filter(({ level, title }) => level <= 2 && title !== "");
    if (book.chapters.length > 1 || headings.length === 0) return "";
    return `\n<ol>\n${headings.map((heading) => `<li>${entry(chapter, heading)}</li>\n`).join("")}</ol>\n`;
  };
  const rows = book.chapters.map((chapter) => `<li>${entry(chapter, chapter)}${inner(chapter)}</li>\n`);
  return `<ol>\n${rows.join("")}</ol>\n`;
}
