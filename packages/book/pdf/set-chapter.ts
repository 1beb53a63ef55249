/** A whole chapter as rows: its heading, its text, its notes. */
import { COLUMN, SMALL } from "./page-size.ts";
import { setHeading, setParagraph, spaceRow } from "./paragraphs.ts";
import { readSpans } from "./read-spans.ts";
import type { Row } from "./rows.ts";
import { type BlockContext, setBlocks } from "./set-blocks.ts";
import type { Span } from "./spans.ts";

export function setChapter(context: BlockContext): Row[] {
  const { chapter, faces } = context;
  const heading = setHeading(readSpans(chapter.header, context), { level: 1 }, faces);
  const rows = withoutDoubleSpaces([...heading, ...setBlocks(chapter.blocks, context), ...setNotes(context)]);
  // A chapter without a word has its page all the same: links lead there.
  const [first = spaceRow(1)] = rows;
  first.marks.push(chapter.id);
  return rows.length > 0 ? rows : [first];
}

/** Of several spaces below each other the highest is enough. */
function withoutDoubleSpaces(rows: Row[]): Row[] {
  const kept: Row[] = [];
  for (const row of rows) {
    const last = kept.at(-1);
    if (last && isSpace(last) && isSpace(row)) last.height = Math.max(last.height, row.height);
    else if (last && isSpace(last) && row.before > 0) {
      row.before = Math.max(row.before, last.height);
      kept.splice(-1, 1, row);
    } else kept.push(row);
  }
  return kept;
}

const isSpace = ({ items, marks, keep }: Row): boolean => items.length === 0 && marks.length === 0 && !keep;

/** As in the other forms of a book: in the order in which they are referred to, then those that nothing refers to. */
function setNotes(context: BlockContext): Row[] {
  const { chapter, noted } = context;
  const set = new Map<string, Row[]>();
  // Setting a note can add to the noted ones: this walk meets them as well.
  for (const label of noted.keys()) set.set(label, setNote(label, context));
  for (const label of chapter.notes.keys()) if (!set.has(label)) set.set(label, setNote(label, context));
  if (set.size === 0) return [];
  const rule: Row = { ...spaceRow(26), keep: true, items: [{ kind: "rule", x: 0, y: 18, width: 60, height: 0.5 }] };
  return [rule, ...[...set.values()].flat()];
}

const INDENT = 16;

function setNote(label: string, context: BlockContext): Row[] {
  const note = context.chapter.notes.get(label);
  if (!note) return [];
  const number = context.noted.get(label);
  const back: Span[] = number
    ? [{ kind: "text", text: `${number}.\u00a0`, style: { link: { place: `${note.id}-from` } } }]
    : [];
  const layout = {
    x: INDENT,
    width: COLUMN.width - INDENT,
    height: SMALL.height,
    type: { size: SMALL.size },
    before: 3,
  };
  const rows = note.paragraphs.flatMap((parts, at) => {
    const spans = [...(at === 0 ? back : []), ...readSpans(parts, context)];
    return setParagraph(spans, { ...layout, align: "justify" }, context.faces);
  });
  rows[0]?.marks.push(note.id);
  return rows;
}
