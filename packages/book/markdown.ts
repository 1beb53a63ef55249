/** Markdown as tokens. Only the reading is the library's: what it would render is not fit for strangers' text. */
import { Marked, type MarkedToken, type Token } from "marked";
import { type FootnoteDefinition, type FootnoteReference, footnotes } from "./footnotes.ts";
import { readingCost } from "./reading-cost.ts";

export type MarkdownToken = MarkedToken | FootnoteDefinition | FootnoteReference;

/** Half a minute of work at worst; a hundred times what a long novel takes. */
const COST_AT_MOST = 1_000_000_000;

export type ReadMarkdown = (source: string) => MarkdownToken[];

/** Reads the texts of one book. What would take too long, or go too deep, is shown as plain paragraphs. */
export function markdownReader(costAtMost = COST_AT_MOST): ReadMarkdown {
  let left = costAtMost;
  return (source) => {
    const cost = readingCost(source);
    if (cost > left) return plainParagraphs(source);
    left -= cost;
    try {
      return markdown.lexer(source) as MarkdownToken[];
    } catch {
      return plainParagraphs(source);
    }
  };
}

/** The parts of a token, of the kinds that we know. */
export const partsOf = (token: { tokens?: Token[] }): MarkdownToken[] => (token.tokens ?? []) as MarkdownToken[];

/** A token for text that has no marks in it. */
export const literal = (text: string): MarkdownToken => ({ type: "escape", raw: text, text });

const markdown = new Marked({ gfm: true, extensions: footnotes });

const plainParagraphs = (source: string): MarkdownToken[] =>
  source
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => plainHeading(paragraph) ?? plainParagraph(paragraph));

function plainHeading(paragraph: string): MarkdownToken | undefined {
  const [, marks, text] = /^(#{1,6}) (.+)$/.exec(paragraph) ?? [];
  if (!marks || !text) return undefined;
  return { type: "heading", raw: paragraph, depth: marks.length, text, tokens: [literal(text)] };
}

function plainParagraph(paragraph: string): MarkdownToken {
  const lines = paragraph.split("\n").map(literal);
  const tokens = lines.flatMap((line): MarkdownToken[] => [line, { type: "br", raw: "\n" }]).slice(0, -1);
  return { type: "paragraph", raw: paragraph, text: paragraph, tokens };
}
