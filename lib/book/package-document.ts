/** What an EPUB says of itself: its title, its parts, the order in which they are read. */

import { xml } from "../core/text/xml.ts";
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

interface Package {
  book: Book;
  modified: string;
  pictures: PackagedPicture[];
}

export function packageDocument({ book, modified, pictures }: Package): string {
  const { code, direction } = book.language;
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${code}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">l2mac:${xml(book.id)}</dc:identifier>
<dc:title>${xml(book.title)}</dc:title>
<dc:language>${code}</dc:language>
<meta property="dcterms:modified">${modified}</meta>
</metadata>
<manifest>
${manifest(book, pictures)}</manifest>
<spine page-progression-direction="${direction}">
<itemref idref="title"/>
<itemref idref="nav"/>
${book.chapters.map(({ id }) => `<itemref idref="${id}"/>\n`).join("")}</spine>
</package>
`;
}

function manifest(book: Book, pictures: PackagedPicture[]): string {
  const items = [
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
