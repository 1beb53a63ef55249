/** Words and marks within a paragraph, as spans. */
import type { Chapter } from "../chapter.ts";
import { characters } from "../character-references.ts";
import { isLineBreakTag, markupTags, withoutTags } from "../clean-html.ts";
import { type MarkdownToken, partsOf } from "../markdown.ts";
import { plainText } from "../plain-text.ts";
import type { Typeset } from "../typography.ts";
import { type Link, MARKUP, type PrintedPicture, type Span, type Style } from "./spans.ts";

/** What the spans of a chapter depend on, and what is collected while they are read. */
export interface ReadContext {
  chapter: Chapter;
  typeset: Typeset;
  link(href: string): Link | undefined;
  picture(href: string): PrintedPicture | undefined;
  /** Notes referenced so far, by label, with the numbers that readers see. */
  noted: Map<string, number>;
}

/** No writer marks up text deeper than this. */
const NESTED_AT_MOST = 8;

export function readSpans(tokens: MarkdownToken[], context: ReadContext, style: Style = {}): Span[] {
  const reading: Reading = { context, spans: [], before: "" };
  readRow(reading, tokens, { style, depth: 0 });
  return reading.spans;
}

interface Reading {
  context: ReadContext;
  spans: Span[];
  /** The last character set: quotation marks depend on it. */
  before: string;
}

interface Within {
  style: Style;
  depth: number;
}

function readRow(reading: Reading, row: MarkdownToken[], { style, depth }: Within): void {
  if (depth > NESTED_AT_MOST) {
    addText(reading, plainText(row), style);
    return;
  }
  const kept = markupTags(row.map((token) => (token.type === "html" ? token.raw : undefined)));
  const open = [style];
  for (const [at, token] of row.entries()) {
    const tag = kept.get(at);
    if (tag?.startsWith("</")) open.pop();
    else if (tag) open.push({ ...open.at(-1), ...MARKUP[tag.slice(1, -1)] });
    else readToken(reading, token, { style: open.at(-1) ?? style, depth });
  }
}

function readToken(reading: Reading, token: MarkdownToken, { style, depth }: Within): void {
  const { context } = reading;
  const inside = (more: Style): void => {
    if ("tokens" in token && token.tokens)
      readRow(reading, partsOf(token), { style: { ...style, ...more }, depth: depth + 1 });
  };
  switch (token.type) {
    case "text":
      if (token.tokens) inside({});
      else addText(reading, context.typeset(characters(token.text), reading.before), style);
      break;
    case "escape":
      addText(reading, token.text, style);
      break;
    case "codespan":
      addText(reading, token.text, { ...style, mono: true });
      break;
    case "em":
      inside({ italic: !style.italic });
      break;
    case "strong":
      inside({ bold: true });
      break;
    case "del":
      inside({ strike: true });
      break;
    case "br":
      addBreak(reading);
      break;
    case "checkbox":
      addText(reading, token.checked ? "☑ " : "☐ ", style);
      break;
    case "link":
      inside(linkStyle(token.autolink ? token.href : characters(token.href), style, context));
      break;
    case "image":
      addPicture(reading, { href: characters(token.href), description: characters(token.text) }, style);
      break;
    case "html":
      if (isLineBreakTag(token.raw)) addBreak(reading);
      else addText(reading, withoutTags(token.raw), style);
      break;
    case "footnoteReference":
      addText(reading, ...noteReference(token, style, context));
  }
}

function addText(reading: Reading, text: string, style: Style): void {
  reading.before = text.at(-1) ?? reading.before;
  if (text !== "") reading.spans.push({ kind: "text", text, style });
}

function addBreak(reading: Reading): void {
  reading.before = "";
  reading.spans.push({ kind: "break" });
}

function addPicture(reading: Reading, asked: { href: string; description: string }, style: Style): void {
  const picture = reading.context.picture(asked.href);
  if (picture) reading.spans.push({ kind: "picture", picture });
  else if (asked.description !== "") addText(reading, `[${asked.description}]`, { ...style, italic: true });
}

function linkStyle(href: string, { link: outer }: Style, context: ReadContext): Style {
  const link = outer ?? context.link(href);
  return link ? { link } : {};
}

/** As written, where no such note was. A note leads back to its first reference. */
function noteReference(
  { label, raw }: { label: string; raw: string },
  own: Style,
  { chapter, noted }: ReadContext,
): [string, Style] {
  const note = chapter.notes.get(label);
  if (!note) return [raw, own];
  const known = noted.get(label);
  const number = known ?? noted.size + 1;
  noted.set(label, number);
  const mark = known ? {} : { mark: `${note.id}-from` };
  return [String(number), { ...own, raise: "sup", link: { place: note.id }, ...mark }];
}
