/** The book as a PDF: laid out by us, written by a library. The same book always gives the same bytes. */
import PDFDocument from "pdfkit";
import { contentsOf } from "../contents.ts";
import { pictureFinder } from "../images.ts";
import { placeFinder, webAddresses } from "../links.ts";
import type { Book } from "../manuscript.ts";
import { bookDate } from "../package-document.ts";
import { type Canvas, drawPage } from "./draw.ts";
import { drawMargins } from "./draw-margin.ts";
import { type Faces, openFaces, type ReadFont } from "./faces.ts";
import { drawCover, drawTitle } from "./front-pages.ts";
import { COLUMN, PAGE } from "./page-size.ts";
import { fillPages, type Page } from "./pages.ts";
import { printable } from "./pictures.ts";
import { setChapter } from "./set-chapter.ts";
import { setContents } from "./set-contents.ts";

export interface Pdf {
  content: Uint8Array;
  /** Characters that are printed as boxes, because no font has them, with how often they occur. */
  missing: Map<string, number>;
}

/** Cover and title. */
const FRONT_PAGES = 2;

export async function createPdf(book: Book, readFont: ReadFont): Promise<Pdf> {
  const canvas = openCanvas(book);
  const content = bytesOf(canvas);
  const faces = await openFaces(canvas, readFont);
  const chapters = layOut(book, faces);
  drawBook(canvas, book, { faces, chapters });
  canvas.end();
  return { content: await content, missing: faces.missing };
}

function openCanvas({ title, language, id }: Book): Canvas {
  const date = new Date(bookDate(id));
  return new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    // Without a font of the library's own.
    font: null as unknown as string,
    pdfVersion: "1.7",
    lang: language.code,
    displayTitle: true,
    info: { Title: title, Creator: "L2MAC", Producer: "L2MAC", CreationDate: date, ModDate: date },
  });
}

function bytesOf(canvas: Canvas): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  canvas.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    canvas.on("error", reject);
    canvas.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
  });
}

function layOut(book: Book, faces: Faces): Page[][] {
  const placeOf = placeFinder(book.chapters);
  const addressOf = webAddresses();
  const pictureOf = pictureFinder(book.files);
  return book.chapters.map((chapter) => {
    const rows = setChapter({
      chapter,
      faces,
      typeset: book.typeset,
      link(href) {
        const place = placeOf(href, chapter);
        const url = place ? undefined : addressOf(href);
        return place ? { place: place.id } : url === undefined ? undefined : { url };
      },
      picture(href) {
        const found = pictureOf(href, chapter.path);
        return found && printable(found);
      },
      noted: new Map(),
    });
    return fillPages(rows, COLUMN.height);
  });
}

function drawBook(canvas: Canvas, book: Book, { faces, chapters }: { faces: Faces; chapters: Page[][] }): void {
  const entries = contentsOf(book);
  const contentsPages = (pageOf: (id: string) => number): Page[] =>
    fillPages(setContents(entries, pageOf, faces), COLUMN.height);
  // Numbers have a place of their own, so the contents are as long whatever the numbers are.
  const first = FRONT_PAGES + contentsPages(() => 0).length + 1;
  const pageOf = placesIn(chapters, first);
  const contents = contentsPages((id) => pageOf.get(id) ?? first);
  const isPlace = (id: string): boolean => pageOf.has(id);

  canvas.addPage();
  drawCover(canvas, book.title, faces);
  canvas.addPage();
  drawTitle(canvas, book.title, faces);
  let number = FRONT_PAGES;
  const draw = (page: Page, header = ""): void => {
    canvas.addPage();
    number += 1;
    drawPage(canvas, page, isPlace);
    drawMargins(canvas, { number, header }, faces);
  };
  for (const page of contents) draw(page);
  for (const [at, pages] of chapters.entries()) {
    const title = book.chapters[at]?.title ?? "";
    for (const [index, page] of pages.entries()) {
      draw(page, index === 0 ? "" : book.typeset(title));
      if (index === 0) canvas.outline.addItem(book.typeset(title) || "…");
    }
  }
}

function placesIn(chapters: Page[][], first: number): Map<string, number> {
  const marks = chapters
    .flat()
    .flatMap((page, at) => page.flatMap(({ row }) => row.marks.map((mark): [string, number] => [mark, first + at])));
  return new Map(marks);
}
