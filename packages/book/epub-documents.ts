/** The documents within an EPUB: title page, table of contents, one for each chapter. */
import { xml } from "../../lib/core/text/xml.ts";
import type { Chapter } from "./chapter.ts";
import { renderContents } from "./contents.ts";
import type { Book } from "./manuscript.ts";

export const fileOf = (chapter: Chapter): string => `chapter-${chapter.id.slice(1).padStart(3, "0")}.xhtml`;

export const titleDocument = (book: Book): string =>
  document(book, book.title, `<section class="title-page">\n<h1>${xml(book.title)}</h1>\n</section>\n`);

export const coverDocument = (book: Book): string =>
  document(book, book.title, `<figure class="cover">\n<img src="cover.svg" alt="${xml(book.title)}"/>\n</figure>\n`);

export const chapterDocument = (book: Book, chapter: Chapter, text: string): string =>
  document(book, book.typeset(chapter.title), text);

export function navigationDocument(book: Book): string {
  const list = renderContents(book, (chapter, id) => `${fileOf(chapter)}#${id}`);
  return document(
    book,
    "Contents",
    `<nav epub:type="toc" role="doc-toc" id="toc">\n<h1>Contents</h1>\n${list}</nav>\n`,
  );
}

function document({ language }: Book, title: string, body: string): string {
  const { code, direction } = language;
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${code}" xml:lang="${code}" dir="${direction}">
<head>
<meta charset="utf-8"/>
<title>${xml(title) || "…"}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
${body}</body>
</html>
`;
}
