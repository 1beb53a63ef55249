/** The EPUB package document: metadata, manifest and reading order. Pure. */
import { isUlid } from "../../lib/core/run/ulid.ts";
import { xml } from "../../lib/core/text/xml.ts";
import { fileOf } from "./epub-documents.ts";
import type { Picture } from "./images.ts";
import type { Book } from "./manuscript.ts";

export interface PackagedPicture extends Picture {
  id: string;
  href: string;
}

export const CONTAINER = `<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
`;

export function packageDocument({ book, pictures }: { book: Book; pictures: PackagedPicture[] }): string {
  const { code, direction } = book.language;
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${code}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">l2mac:${xml(book.id)}</dc:identifier>
<dc:title>${xml(book.title)}</dc:title>
<dc:language>${code}</dc:language>
<meta property="dcterms:modified">${bookDate(book.id)}</meta>
</metadata>
<manifest>
${manifest(book, pictures)}</manifest>
<spine page-progression-direction="${direction}">
<itemref idref="cover"/>
<itemref idref="title"/>
<itemref idref="nav"/>
${book.chapters.map(({ id }) => `<itemref idref="${id}"/>\n`).join("")}</spine>
</package>
`;
}

function manifest(book: Book, pictures: PackagedPicture[]): string {
  const items = [
    `<item id="cover-image" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>`,
    `<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>`,
    `<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>`,
    `<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>`,
    `<item id="style" href="style.css" media-type="text/css"/>`,
    ...book.chapters.map(
      (chapter) => `<item id="${chapter.id}" href="${fileOf(chapter)}" media-type="application/xhtml+xml"/>`,
    ),
    ...pictures.map(({ id, href, kind }) => `<item id="${id}" href="${href}" media-type="image/${kind}"/>`),
  ];
  return items.map((item) => `${item}\n`).join("");
}

/** The start time of the run and not the current time, so that the same run always gives the same bytes. */
export function bookDate(runId: string): string {
  const time = isUlid(runId) ? timeOf(runId) : FALLBACK;
  return `${new Date(time <= LATEST ? time : FALLBACK).toISOString().slice(0, 19)}Z`;
}

const FALLBACK = Date.UTC(2000, 0, 1);
/** Years after 9999 have another format. */
const LATEST = Date.UTC(9999, 0, 1);

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID begins with its time: ten digits of base 32. */
const timeOf = (ulid: string): number =>
  [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
