/** Paragraphs, lists, tables, code: the blocks of a chapter, as rows. */
import type { Tokens } from "marked";
import { characters } from "../character-references.ts";
import { withoutTags } from "../clean-html.ts";
import { type MarkdownToken, partsOf } from "../markdown.ts";
import { setCode } from "./code.ts";
import type { Faces } from "./faces.ts";
import { COLUMN, TEXT } from "./page-size.ts";
import { type Column, setHeading, setParagraph, spaceRow } from "./paragraphs.ts";
import { type ReadContext, readSpans } from "./read-spans.ts";
import { baseline, type Row } from "./rows.ts";
import type { Span } from "./spans.ts";
import { setTable } from "./tables.ts";

export interface BlockContext extends ReadContext {
  faces: Faces;
}

/** Where blocks are set, and how. */
export interface Surroundings extends Column {
  depth: number;
  italic?: boolean;
}

const BODY: Surroundings = { x: 0, width: COLUMN.width, depth: 0 };
const INDENT = 15;
const SPACE = 8;
const LIST_INDENT = 18;
/** What is nested deeper than the column is wide stays where it is. */
const NARROWEST = 130;

export function setBlocks(blocks: MarkdownToken[], context: BlockContext, around: Surroundings = BODY): Row[] {
  const rows: Row[] = [];
  let previous: string | undefined;
  const add = (type: string, own: Row[]): void => {
    if (own.length === 0) return;
    previous = type;
    rows.push(...own);
  };
  let words: MarkdownToken[] = [];
  const addWords = (): void => {
    const place = { ...around, follows: previous };
    add("paragraph", words.length > 0 ? paragraph(readSpans(words, context), context, place) : []);
    words = [];
  };
  for (const block of blocks) {
    if (!BLOCKS.has(block.type)) words.push(block);
    else {
      addWords();
      add(block.type, setBlock(block, context, { ...around, follows: previous }));
    }
  }
  addWords();
  return rows;
}

/** A tight list also holds words without a paragraph around them. */
const BLOCKS = new Set("paragraph heading blockquote list code table hr html space def footnoteDefinition".split(" "));

type Place = Surroundings & { follows: string | undefined };

function setBlock(block: MarkdownToken, context: BlockContext, place: Place): Row[] {
  const { faces } = context;
  const spaced = (rows: Row[]): Row[] => [...above(place), ...rows, spaceRow(place.depth > 0 ? 2 : SPACE)];
  switch (block.type) {
    case "paragraph":
      return paragraph(readSpans(partsOf(block), context), context, place);
    case "heading": {
      const known = context.chapter.headings.get(block);
      const heading = { level: (known?.level ?? block.depth) + 1, marks: known ? [known.id] : [] };
      return setHeading(readSpans(partsOf(block), context), heading, faces);
    }
    case "blockquote":
      return spaced(setBlocks(partsOf(block), context, { ...inset(place, INDENT), italic: true }));
    case "list":
      return spaced(list(block, context, place));
    case "code":
      return spaced(setCode(block.text, place, faces));
    case "table":
      return spaced(setTable(block, context, { column: place, faces }));
    case "hr":
      return [ornament(context, place)];
    case "html":
      return html(block.raw, context, place);
    default:
      return [];
  }
}

/** After a heading, or at the start of a list's entry, there is space enough. */
const above = ({ follows, depth }: Place): Row[] =>
  follows === undefined || follows === "heading" || depth > 0 ? [] : [spaceRow(SPACE)];

const inset = (place: Surroundings, by: number): Surroundings => {
  const shift = place.width - by < NARROWEST ? 0 : by;
  return { ...place, x: place.x + shift, width: place.width - shift, depth: place.depth + 1 };
};

function paragraph(spans: Span[], { faces }: BlockContext, place: Place): Row[] {
  const { x, width, depth, italic = false, follows } = place;
  const continues = follows === "paragraph";
  const layout = {
    x,
    width,
    height: TEXT.height,
    type: { size: TEXT.size, italic },
    ...{
      align: "justify" as const,
      before: continues && depth > 0 ? 4 : 0,
      indent: continues && depth === 0 ? INDENT : 0,
    },
  };
  return setParagraph(spans, layout, faces);
}

function list({ ordered, start, items, loose }: Tokens.List, context: BlockContext, place: Place): Row[] {
  const { faces } = context;
  const inner = inset(place, LIST_INDENT);
  return items.flatMap((item, index) => {
    const rows = setBlocks(partsOf(item), context, inner);
    const text = ordered ? `${Number(start || 1) + index}.` : "•";
    const first = rows.find((row) => row.items.length > 0) ?? rows[0];
    if (!first) return [];
    if (!isTask(item)) {
      const width = faces.width(text, "serif") * TEXT.size;
      const x = ordered ? inner.x - 5 - width : inner.x - 12;
      const look = { face: "serif" as const, size: TEXT.size, spacing: 0, style: {} };
      first.items.push({ kind: "text", x, y: baseline(TEXT), width, text, ...look });
    }
    return [...rows, ...(loose ? [spaceRow(3)] : [])];
  });
}

const isTask = (item: Tokens.ListItem): boolean => item.task;

function ornament({ faces }: BlockContext, { x, width }: Place): Row {
  const centered = { x, width, height: 30, type: { size: TEXT.size }, align: "center" as const, before: 0 };
  const text = "*\u00a0\u00a0\u00a0*\u00a0\u00a0\u00a0*";
  const [row = spaceRow(30)] = setParagraph([{ kind: "text", text, style: {} }], centered, faces);
  return row;
}

/** What is left of raw HTML is text; where it ended a line, so do we. */
function html(raw: string, context: BlockContext, place: Place): Row[] {
  const text = context.typeset(characters(withoutTags(raw))).trim();
  if (text === "") return [];
  const spans = text
    .split("\n")
    .flatMap((line): Span[] => [{ kind: "break" }, { kind: "text", text: line, style: {} }])
    .slice(1);
  return paragraph(spans, context, place);
}
