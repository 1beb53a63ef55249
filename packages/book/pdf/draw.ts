/** Draws pages of rows into a PDF document. */
import type PDFDocument from "pdfkit";
import { MARGIN } from "./page-size.ts";
import type { Page } from "./pages.ts";
import type { Item, TextItem } from "./rows.ts";
import type { Link } from "./spans.ts";

export type Canvas = typeof PDFDocument.prototype;

const INK = "#111111";
const LINE = "#999999";
const SHADE = "#f2f2f0";
const LINKED = "#1a4d7c";

/** `isPlace`: whether a link within the book leads anywhere. */
export function drawPage(canvas: Canvas, page: Page, isPlace: (id: string) => boolean): void {
  for (const { row, y } of page) {
    const top = MARGIN.top + y;
    for (const mark of row.marks) canvas.addNamedDestination(mark, "XYZ", MARGIN.side, Math.max(0, top - 12), null);
    for (const item of row.items) drawItem(canvas, item, { top, isPlace });
  }
}

function drawItem(canvas: Canvas, item: Item, { top, isPlace }: Pick<At, "isPlace"> & { top: number }): void {
  const [x, y] = [MARGIN.side + item.x, top + item.y];
  switch (item.kind) {
    case "box":
      // A little higher than its row, so that no line shows between two of them.
      canvas.rect(x, y, item.width, item.height + 0.3).fill(SHADE);
      return;
    case "rule":
      canvas.rect(x, y, item.width, item.height).fill(LINE);
      return;
    case "picture":
      canvas.image(item.picture.content as Buffer, x, y, { width: item.width, height: item.height });
      return;
    case "text":
      drawText(canvas, item, { x, y, isPlace });
  }
}

interface At {
  x: number;
  y: number;
  isPlace: (id: string) => boolean;
}

function drawText(canvas: Canvas, item: TextItem, { x, y, isPlace }: At): void {
  const { text, face, size, spacing, style, width } = item;
  canvas
    .font(face)
    .fontSize(size)
    .fillColor(style.link && "url" in style.link ? LINKED : INK);
  canvas.text(text, x, y, { lineBreak: false, baseline: "alphabetic", wordSpacing: spacing });
  if (style.underline) canvas.rect(x, y + size * 0.12, width, 0.5).fill(INK);
  if (style.strike) canvas.rect(x, y - size * 0.26, width, 0.5).fill(INK);
  if (style.link) drawLink(canvas, style.link, { x, y: y - size, width, height: size * 1.3, isPlace });
}

function drawLink(canvas: Canvas, link: Link, at: At & { width: number; height: number }): void {
  if ("url" in link) canvas.link(at.x, at.y, at.width, at.height, link.url);
  else if (at.isPlace(link.place)) canvas.goTo(at.x, at.y, at.width, at.height, link.place);
}
