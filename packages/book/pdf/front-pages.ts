/** The first two pages of a PDF: its cover, and its title. */
import { createCover } from "../cover.ts";
import type { Canvas } from "./draw.ts";
import type { Faces } from "./faces.ts";
import { COLUMN, MARGIN, PAGE } from "./page-size.ts";
import { setParagraph } from "./paragraphs.ts";

export function drawCover(canvas: Canvas, title: string, faces: Faces): void {
  const cover = createCover(title);
  const scale = PAGE.width / cover.width;
  canvas.save().scale(scale);
  canvas.rect(0, 0, cover.width, cover.height).fill(cover.background);
  canvas.path(cover.pattern).lineWidth(14).stroke(cover.accent);
  canvas.restore();
  for (const { text, y } of cover.title) {
    const parts = faces.split(text, "serif");
    const size = cover.size * scale;
    const width = parts.reduce((sum, part) => sum + faces.width(part.text, part.face) * size, 0);
    // What is wider than was guessed is drawn smaller.
    const fitted = size * Math.min(1, COLUMN.width / width);
    let x = (PAGE.width - (width * fitted) / size) / 2;
    for (const part of parts) {
      canvas.font(part.face).fontSize(fitted).fillColor(cover.ink);
      canvas.text(part.text, x, y * scale, { lineBreak: false, baseline: "alphabetic" });
      x += faces.width(part.text, part.face) * fitted;
    }
  }
}

export function drawTitle(canvas: Canvas, title: string, faces: Faces): void {
  const layout = { x: 0, width: COLUMN.width, type: { size: 26, bold: true }, height: 34, before: 0 };
  const rows = setParagraph([{ kind: "text", text: title, style: {} }], { ...layout, align: "center" }, faces);
  let top = MARGIN.top + 130;
  for (const { items, height } of rows.slice(0, 12)) {
    for (const item of items) {
      if (item.kind !== "text") continue;
      canvas.font(item.face).fontSize(item.size).fillColor("#111111");
      canvas.text(item.text, MARGIN.side + item.x, top + item.y, { lineBreak: false, baseline: "alphabetic" });
    }
    top += height;
  }
}
