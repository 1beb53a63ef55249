/** Rows: strips across a page that are never cut. A page is a column of them. */

import type { Piece } from "./boxes.ts";
import type { Face } from "./faces.ts";
import type { Line } from "./lines.ts";
import type { PrintedPicture, Style } from "./spans.ts";

export interface Row {
  height: number;
  /** Space above it, unless it is the first of its page. */
  before: number;
  /** Stays on one page with the row after it. */
  keep: boolean;
  items: Item[];
  /** Ids that links lead here by. */
  marks: string[];
}

export interface TextItem {
  kind: "text";
  x: number;
  /** From the top of the row to the line on which the letters stand. */
  y: number;
  width: number;
  text: string;
  face: Face;
  size: number;
  /** Added to each space. */
  spacing: number;
  style: Style;
  quiet?: boolean;
}

export type Item =
  | TextItem
  | { kind: "box" | "rule"; x: number; y: number; width: number; height: number }
  | { kind: "picture"; x: number; y: number; width: number; height: number; picture: PrintedPicture };

export interface LineLayout {
  x: number;
  /** Of the column. */
  width: number;
  height: number;
  size: number;
  align: "justify" | "left" | "center" | "right";
}

/** Spaces that had to be stretched more than this look like holes: the line stays short instead. */
const STRETCH_AT_MOST = 2.2;

export function rowOfLine(line: Line, layout: LineLayout): Row {
  const { boxes, last, width } = line;
  const free = layout.width - width;
  const spaces = boxes.slice(0, -1).reduce((sum, { space }) => sum + space, 0);
  const gaps = boxes.slice(0, -1).filter(({ space }) => space > 0).length;
  const stretched = layout.align === "justify" && gaps > 0 && (!last || free < 0) && free < spaces * STRETCH_AT_MOST;
  const spacing = stretched ? free / gaps : 0;
  const shift = layout.align === "center" ? free / 2 : layout.align === "right" ? free : 0;
  const items = itemsOf(line, { x: layout.x + Math.max(0, shift), y: baseline(layout), spacing });
  const marks = items.flatMap(({ style }) => style.mark ?? []);
  return { height: layout.height, before: 0, keep: false, items, marks };
}

export const baseline = ({ height, size }: { height: number; size: number }): number => height / 2 + size * 0.36;

function itemsOf({ boxes }: Line, at: { x: number; y: number; spacing: number }): TextItem[] {
  const items: TextItem[] = [];
  let { x } = at;
  for (const [index, box] of boxes.entries()) {
    for (const piece of box.pieces) {
      add(items, piece, { ...at, x });
      x += piece.width;
    }
    if (box.space === 0 || index === boxes.length - 1) continue;
    x += box.space + at.spacing;
  }
  return items;
}

/** Words that look alike are drawn together, with the spaces between them. */
function add(items: TextItem[], piece: Piece, { x, y, spacing }: { x: number; y: number; spacing: number }): void {
  const last = items.at(-1);
  const { text, face, size, width, style, rise } = piece;
  const gap = last ? x - last.x - last.width : 0;
  const alike = last && last.style === style && last.face === face && last.y === y - rise;
  // The library stretches every kind of space in a text: one with a fixed space is drawn on its own.
  // Only the text's own fonts have the space that was measured.
  if (alike && face.startsWith("serif") && !/\s/u.test(text) && !(spacing !== 0 && FIXED.test(last.text))) {
    last.text += gap > 0.01 ? ` ${text}` : text;
    last.width = x + width - last.x;
  } else items.push({ kind: "text", x, y: y - rise, width, text, face, size, spacing, style });
}

const FIXED = /[^\S ]/u;
