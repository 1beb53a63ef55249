/** The pages of contents: each entry with the number of its page. */
import type { ContentsEntry } from "../contents.ts";
import type { Faces } from "./faces.ts";
import { COLUMN, TEXT } from "./page-size.ts";
import { setHeading, setParagraph } from "./paragraphs.ts";
import { baseline, type Row } from "./rows.ts";

const INDENT = 16;
/** For the numbers, at the end of each line. */
const NUMBERS = 40;

export function setContents(entries: ContentsEntry[], pageOf: (id: string) => number, faces: Faces): Row[] {
  const heading = setHeading([{ kind: "text", text: "Contents", style: {} }], { level: 1 }, faces);
  const rows = entries.flatMap((entry) => [
    ...setEntry(entry, { x: 0, page: pageOf(entry.id) }, faces),
    ...entry.within.flatMap((inner) => setEntry(inner, { x: INDENT, page: pageOf(inner.id) }, faces)),
  ]);
  return [...heading, ...rows];
}

function setEntry({ id, title }: ContentsEntry, { x, page }: { x: number; page: number }, faces: Faces): Row[] {
  const style = { link: { place: id } };
  const layout = { x, width: COLUMN.width - NUMBERS - x, type: { size: TEXT.size }, height: TEXT.height };
  const rows = setParagraph([{ kind: "text", text: title, style }], { ...layout, align: "left", before: 5 }, faces);
  const text = String(page);
  const width = faces.width(text, "serif") * TEXT.size;
  const look = { face: "serif" as const, size: TEXT.size, spacing: 0, style };
  const number = { kind: "text" as const, x: COLUMN.width - width, y: baseline(TEXT), width, text, ...look };
  for (const row of rows.slice(0, -1)) row.keep = true;
  rows.at(-1)?.items.push(number);
  return rows;
}
