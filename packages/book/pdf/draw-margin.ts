/** The margins of a page: above the text the chapter's title, below it the page's number. */
import type { Canvas } from "./draw.ts";
import type { Faces } from "./faces.ts";
import { COLUMN, MARGIN, PAGE, SMALL } from "./page-size.ts";
import { setParagraph } from "./paragraphs.ts";

const QUIET = "#666666";

export function drawMargins(
  canvas: Canvas,
  { number, header }: { number: number; header: string },
  faces: Faces,
): void {
  drawCentered(canvas, { text: header, y: 32 }, faces);
  drawCentered(canvas, { text: String(number), y: PAGE.height - 46 }, faces);
}

/** On one line: of a long title its beginning. */
function drawCentered(canvas: Canvas, { text, y }: { text: string; y: number }, faces: Faces): void {
  const layout = { x: 0, width: COLUMN.width, type: { size: SMALL.size }, height: SMALL.height, before: 0 };
  const set = (words: string) =>
    setParagraph([{ kind: "text", text: words, style: {} }], { ...layout, align: "center" }, faces);
  let shown = text;
  for (let rows = set(shown); rows.length > 1; rows = set(`${shown}…`)) shown = shown.slice(0, shown.length * 0.9);
  const [row] = set(shown === text ? text : `${shown.trimEnd()}…`);
  for (const item of row?.items ?? []) {
    if (item.kind !== "text") continue;
    canvas.font(item.face).fontSize(item.size).fillColor(QUIET);
    canvas.text(item.text, MARGIN.side + item.x, y + item.y, { lineBreak: false, baseline: "alphabetic" });
  }
}
