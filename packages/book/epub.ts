/** The book as an EPUB 3, for readers on paper-like screens and phones. */
import { type Zippable, zipSync } from "fflate";
import { encodeText } from "../../lib/core/text/file-text.ts";
import { renderChapter } from "./chapter-text.ts";
import { coverFile } from "./cover-svg.ts";
import { chapterDocument, coverDocument, fileOf, navigationDocument, titleDocument } from "./epub-documents.ts";
import { epubStyle } from "./epub-style.ts";
import { type Picture, pictureFinder } from "./images.ts";
import { placeFinder, webAddresses } from "./links.ts";
import type { Book } from "./manuscript.ts";
import { CONTAINER, type PackagedPicture, packageDocument } from "./package-document.ts";

/** A zip's times have no zone, and every reader ignores them. */
const NO_TIME = new Date(2000, 0, 1, 12);

export function createEpub(book: Book): Uint8Array {
  const pictures = new Map<string, PackagedPicture>();
  const texts = chapterTexts(book, pictures);
  const packaged = [...pictures.values()];
  const documents = {
    "META-INF/container.xml": CONTAINER,
    "EPUB/package.opf": packageDocument({ book, pictures: packaged }),
    "EPUB/nav.xhtml": navigationDocument(book),
    "EPUB/cover.svg": coverFile(book.title),
    "EPUB/cover.xhtml": coverDocument(book),
    "EPUB/title.xhtml": titleDocument(book),
    "EPUB/style.css": epubStyle,
    ...texts,
  };
  // The format asks for this entry first, as it is: programs know an EPUB by it.
  const entries: Zippable = { mimetype: [encodeText("application/epub+zip"), { level: 0 }] };
  for (const [name, text] of Object.entries(documents)) entries[name] = encodeText(text);
  for (const { href, content } of packaged) entries[`EPUB/${href}`] = [content, { level: 0 }];
  return zipSync(entries, { level: 6, mtime: NO_TIME });
}

function chapterTexts(book: Book, pictures: Map<string, PackagedPicture>): Record<string, string> {
  const placeOf = placeFinder(book.chapters);
  const addressOf = webAddresses();
  const pictureOf = pictureFinder(book.files);
  const documents = book.chapters.map((chapter): [string, string] => {
    const text = renderChapter({
      chapter,
      level: 1,
      typeset: book.typeset,
      link(href) {
        const place = placeOf(href, chapter);
        return place ? `${fileOf(place.chapter)}#${place.id}` : addressOf(href);
      },
      picture(href) {
        const found = pictureOf(href, chapter.path);
        return found && packaged(found, pictures).href;
      },
      epubType: (type) => ` epub:type="${type}"`,
      noted: new Map(),
    });
    return [`EPUB/${fileOf(chapter)}`, chapterDocument(book, chapter, text)];
  });
  return Object.fromEntries(documents);
}

/** Each picture is in the book once, however often it is shown. */
function packaged(picture: Picture, pictures: Map<string, PackagedPicture>): PackagedPicture {
  const number = pictures.size + 1;
  const kept = pictures.get(picture.path) ?? {
    ...picture,
    id: `picture-${number}`,
    href: `pictures/${number}.${picture.kind}`,
  };
  pictures.set(picture.path, kept);
  return kept;
}
