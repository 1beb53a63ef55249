/** Tables as rows: columns as wide as their words need, and where that is too much, a list instead. */
import type { Tokens } from "marked";
import { partsOf } from "../markdown.ts";
import { boxesOf, fitBoxes, type Type } from "./boxes.ts";
import type { Faces } from "./faces.ts";
import { breakLines } from "./lines.ts";
import { SMALL } from "./page-size.ts";
import { type Column, setParagraph, spaceRow } from "./paragraphs.ts";
import { type ReadContext, readSpans } from "./read-spans.ts";
import { type Item, type Row, rowOfLine } from "./rows.ts";
import type { Span } from "./spans.ts";

const GAP = 10;
const RULE = 0.5;
/** A column narrower than this cannot be read. */
const NARROWEST = 34;

interface Cell {
  spans: Span[];
  header: boolean;
  align: "left" | "center" | "right";
}

interface Setting {
  column: Column;
  faces: Faces;
}

export function setTable(table: Tokens.Table, context: ReadContext, setting: Setting): Row[] {
  const cells = [table.header, ...table.rows].map((row) => row.map((cell) => cellOf(cell, context)));
  const columns = table.header.length;
  if (setting.column.width / columns < NARROWEST + GAP) return setAsList(cells, setting);
  const widths = widthsOf(cells, setting);
  return cells.flatMap((row, at) => setRow(row, { ...setting, widths, keep: at === 0 }));
}

const cellOf = ({ tokens, header, align }: Tokens.TableCell, context: ReadContext): Cell => ({
  spans: readSpans(partsOf({ tokens }), context).filter(({ kind }) => kind !== "picture"),
  header,
  align: align ?? "left",
});

const typeOf = ({ header }: Cell): Type => ({ size: SMALL.size, bold: header });

/** What each column would like, as far as there is room; none gets less than its longest word before others get more. */
function widthsOf(rows: Cell[][], { column, faces }: Setting): number[] {
  const count = rows[0]?.length ?? 0;
  const room = column.width - GAP * (count - 1);
  const least = Array<number>(count).fill(NARROWEST);
  const most = Array<number>(count).fill(NARROWEST);
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      const boxes = boxesOf(cell.spans, typeOf(cell), faces);
      const line = boxes.reduce((sum, { width, space }) => sum + width + space, 0);
      most[at] = Math.max(most[at] ?? 0, line);
      least[at] = Math.min(
        room / 2,
        boxes.reduce((widest, { width }) => Math.max(widest, width), least[at] ?? 0),
      );
    }
  }
  const [sumOfMost, sumOfLeast] = [sum(most), sum(least)];
  if (sumOfMost <= room) return most;
  if (sumOfLeast >= room) return least.map((width) => (width / sumOfLeast) * room);
  const share = (room - sumOfLeast) / (sumOfMost - sumOfLeast);
  return least.map((width, at) => width + ((most[at] ?? width) - width) * share);
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** One strip for each line, so that a long row can go on over the page. */
function setRow(row: Cell[], { column, faces, widths, keep }: Setting & { widths: number[]; keep: boolean }): Row[] {
  const strips: Row[] = [];
  let x = column.x;
  for (const [at, cell] of row.entries()) {
    const width = widths[at] ?? NARROWEST;
    const boxes = fitBoxes(boxesOf(cell.spans, typeOf(cell), faces), width, faces);
    for (const [index, line] of breakLines(boxes, { width, indent: 0, ragged: true }).entries()) {
      const strip = rowOfLine(line, { x, width, ...SMALL, align: cell.align });
      const known = strips[index];
      if (known) known.items.push(...strip.items);
      else strips[index] = { ...strip, keep: true };
    }
    x += width + GAP;
  }
  const rule: Item = { kind: "rule", x: column.x, y: 3, width: sum(widths) + GAP * (widths.length - 1), height: RULE };
  return [...strips, { ...spaceRow(6), items: [rule], keep }];
}

/** Each cell after the name of its column. */
function setAsList([header = [], ...rows]: Cell[][], { column, faces }: Setting): Row[] {
  const layout = { ...column, type: { size: SMALL.size }, height: SMALL.height, align: "left" as const, before: 0 };
  const colon: Span = { kind: "text", text: ": ", style: { bold: true } };
  const bold = (spans: Span[]): Span[] =>
    spans.map((span) => (span.kind === "text" ? { ...span, style: { ...span.style, bold: true } } : span));
  return rows.flatMap((row) => [
    ...row.flatMap((cell, at) => setParagraph([...bold(header[at]?.spans ?? []), colon, ...cell.spans], layout, faces)),
    { ...spaceRow(8), items: [{ kind: "rule" as const, x: column.x, y: 4, width: column.width, height: RULE }] },
  ]);
}
