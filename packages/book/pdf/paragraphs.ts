/** Paragraphs and headings as rows. */
import { boxesOf, fitBoxes, type Type } from "./boxes.ts";
import type { Faces } from "./faces.ts";
import { breakLines } from "./lines.ts";
import { COLUMN, HEADINGS, TEXT } from "./page-size.ts";
import { pictureRow } from "./pictures.ts";
import { type LineLayout, type Row, rowOfLine } from "./rows.ts";
import type { Span } from "./spans.ts";

/** Where a block is set. */
export interface Column {
  x: number;
  width: number;
}

export interface ParagraphLayout extends Column {
  type: Type;
  height: number;
  align: LineLayout["align"];
  indent?: number;
  before: number;
}

export function setParagraph(spans: Span[], layout: ParagraphLayout, faces: Faces): Row[] {
  const rows: Row[] = [];
  for (const part of aroundPictures(spans)) {
    const own = "picture" in part ? [pictureRow(part.picture, layout)] : setText(part.text, layout, faces);
    const [first] = own;
    if (first) first.before = rows.length === 0 ? layout.before : Math.max(first.before, 0);
    rows.push(...own);
  }
  return rows;
}

type Part = { text: Span[] } | { picture: Extract<Span, { kind: "picture" }>["picture"] };

function aroundPictures(spans: Span[]): Part[] {
  const parts: Part[] = [];
  for (const span of spans) {
    const last = parts.at(-1);
    if (span.kind === "picture") parts.push({ picture: span.picture });
    else if (last && "text" in last) last.text.push(span);
    else parts.push({ text: [span] });
  }
  return parts;
}

function setText(spans: Span[], layout: ParagraphLayout, faces: Faces): Row[] {
  const { x, width, type, height, align, indent = 0 } = layout;
  const boxes = fitBoxes(boxesOf(spans, type, faces), width - indent, faces);
  const lines = breakLines(boxes, { width, indent, ragged: align !== "justify" });
  const rows = lines.map((line, at) => {
    const shift = at === 0 ? indent : 0;
    return rowOfLine(line, { x: x + shift, width: width - shift, height, size: type.size, align });
  });
  return keepTogether(rows);
}

/** No first line alone at the end of a page, no last line alone at the start of one. */
export function keepTogether(rows: Row[]): Row[] {
  const [first, beforeLast] = [rows[0], rows.at(-2)];
  if (rows.length > 1 && first) first.keep = true;
  if (rows.length > 2 && beforeLast) beforeLast.keep = true;
  return rows;
}

interface HeadingLayout {
  /** 1 is the chapter's own. */
  level: number;
  marks?: string[];
}

/** A heading stays with what follows. */
export function setHeading(spans: Span[], { level, marks = [] }: HeadingLayout, faces: Faces): Row[] {
  const look = HEADINGS[Math.min(level, HEADINGS.length) - 1] ?? { ...TEXT, before: 0, after: 0 };
  const { size, height, before, after } = look;
  const type: Type = { size, bold: true, italic: level > 3 };
  const rows = setParagraph(
    spans.filter(({ kind }) => kind !== "picture"),
    { x: 0, width: COLUMN.width, type, height, align: "left", before },
    faces,
  );
  for (const row of rows) row.keep = true;
  const [first] = rows;
  if (!first) return [];
  first.marks.push(...marks);
  return [...rows, { ...spaceRow(after), keep: true }];
}

export const spaceRow = (height: number): Row => ({ height, before: 0, keep: false, items: [], marks: [] });
