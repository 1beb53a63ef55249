/** Code as rows: each line as written, and those that are too long go on below, marked. */
import { cutWide, type Piece, piecesOf } from "./boxes.ts";
import type { Faces } from "./faces.ts";
import { CODE } from "./page-size.ts";
import type { Column } from "./paragraphs.ts";
import { baseline, type Item, type Row } from "./rows.ts";

const PADDING = 6;
const TAB = "    ";
/** Before what goes on from the line above. */
const GOES_ON = "↪ ";

export function setCode(text: string, column: Column, faces: Faces): Row[] {
  const width = column.width - 2 * PADDING;
  const set = { type: { size: CODE.size / 0.86 }, faces };
  const mark = piecesOf(GOES_ON, { mono: true }, set);
  const rows = text
    .replaceAll("\t", TAB)
    .split("\n")
    .flatMap((line) => {
      const pieces = piecesOf(line, { mono: true }, set);
      const [first, ...more] = cutWide(pieces, { first: width, others: width - widthOf(mark) }, faces);
      return [first ?? [], ...more.map((part) => [...mark, ...part])];
    })
    .map((pieces) => codeRow(pieces, column));
  const edge = (keep: boolean): Row => ({
    ...codeRow([], column),
    height: PADDING,
    items: [shade(column, PADDING)],
    keep,
  });
  const beforeLast = rows.at(-1);
  if (beforeLast) beforeLast.keep = true;
  return [edge(true), ...rows, edge(false)];
}

const widthOf = (pieces: Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0);

const shade = ({ x, width }: Column, height: number): Item => ({ kind: "box", x, y: 0, width, height });

function codeRow(pieces: Piece[], column: Column): Row {
  const items: Item[] = [shade(column, CODE.height)];
  let x = column.x + PADDING;
  for (const { text, face, size, width, style } of pieces) {
    if (text.trim() !== "")
      items.push({ kind: "text", x, y: baseline(CODE), width, text, face, size, spacing: 0, style });
    x += width;
  }
  return { height: CODE.height, before: 0, keep: false, items, marks: [] };
}
