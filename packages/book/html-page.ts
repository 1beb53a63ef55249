/** The book as one page that needs nothing else: no network, no script, no file beside it. */
import { encodeText } from "../../lib/core/text/file-text.ts";
import { xml } from "../../lib/core/text/xml.ts";
import { renderChapter } from "./chapter-text.ts";
import { renderContents } from "./contents.ts";
import { inlineCover } from "./cover-svg.ts";
import { type Picture, pictureFinder } from "./images.ts";
import { placeFinder, webAddresses } from "./links.ts";
import type { Book } from "./manuscript.ts";
import { styleText } from "./page-style.ts";

/** Even if something hostile came through, the browser would neither run it nor fetch anything for it. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function createHtmlPage(book: Book): Uint8Array {
  const { title, language } = book;
  return encodeText(`<!DOCTYPE html>
<html lang="${language.code}" dir="${language.direction}">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${xml(POLICY)}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="referrer" content="no-referrer"/>
<meta name="generator" content="L2MAC"/>
<title>${xml(title)}</title>
<style>${styleText}</style>
</head>
<body>
<header>
${inlineCover(title)}<h1>${xml(title)}</h1>
</header>
<nav id="contents" aria-label="Contents">
<h2>Contents</h2>
${renderContents(book, (_, id) => `#${id}`)}</nav>
<main>
${chaptersOf(book)}</main>
<a class="to-contents" href="#contents" title="Contents" aria-label="Contents">↑</a>
</body>
</html>
`);
}

function chaptersOf(book: Book): string {
  const placeOf = placeFinder(book.chapters);
  const addressOf = webAddresses();
  const pictureOf = pictureFinder(book.files);
  return book.chapters
    .map((chapter) =>
      renderChapter({
        chapter,
        level: 2,
        typeset: book.typeset,
        link(href) {
          const place = placeOf(href, chapter);
          return place ? `#${place.id}` : addressOf(href);
        },
        picture(href) {
          const found = pictureOf(href, chapter.path);
          return found && dataUrl(found);
        },
        epubType: () => "",
        noted: new Map(),
      }),
    )
    .join("");
}

/** A whole number of groups of three bytes, so that the pieces can be joined. */
const PIECE = 3 * 8192;

function dataUrl({ content, kind }: Picture): string {
  let base64 = "";
  for (let at = 0; at < content.length; at += PIECE) {
    base64 += btoa(String.fromCharCode(...content.subarray(at, at + PIECE)));
  }
  return `data:image/${kind};base64,${base64}`;
}
