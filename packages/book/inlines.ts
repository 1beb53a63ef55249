/** Words and marks within a paragraph, as XHTML. */
import { xml } from "../../lib/core/text/xml.ts";
import type { Chapter } from "./chapter.ts";
import { characters } from "./character-references.ts";
import { isLineBreakTag, markupTags, withoutTags } from "./clean-html.ts";
import { type MarkdownToken, partsOf } from "./markdown.ts";
import { plainText } from "./plain-text.ts";
import type { Typeset } from "./typography.ts";

/** What differs between the forms of a book, and what is collected while a chapter is rendered. */
export interface RenderContext {
  chapter: Chapter;
  /** The level of the chapter's own heading. */
  level: number;
  typeset: Typeset;
  /** The URL for a link, or undefined to show its text only. */
  link(href: string): string | undefined;
  /** The URL of an image, or undefined to show its description. */
  picture(href: string): string | undefined;
  /** The attribute by which EPUB readers recognize references and notes, to show them in place. */
  epubType(type: "noteref" | "footnote"): string;
  /** Notes referenced so far, by label, with the numbers that readers see. */
  noted: Map<string, number>;
}

/** Where we are in a paragraph. */
interface Flow {
  /** The last character set: quotation marks depend on it. */
  before: string;
  depth: number;
}

export const renderInlines = (tokens: MarkdownToken[], context: RenderContext): string =>
  renderRow(tokens, context, { before: "", depth: 0 });

/** XML readers give up on documents that nest too deep; no writer marks up text like this. */
const NESTED_AT_MOST = 8;

function renderRow(tokens: MarkdownToken[], context: RenderContext, flow: Flow): string {
  if (flow.depth > NESTED_AT_MOST) return xml(plainText(tokens));
  const kept = markupTags(tokens.map((token) => (token.type === "html" ? token.raw : undefined)));
  return tokens.map((token, at) => kept.get(at) ?? renderInline(token, context, flow)).join("");
}

function renderInline(token: MarkdownToken, context: RenderContext, flow: Flow): string {
  const inside = (): string => {
    if (!("tokens" in token) || !token.tokens) return "";
    flow.depth += 1;
    const row = renderRow(partsOf(token), context, flow);
    flow.depth -= 1;
    return row;
  };
  switch (token.type) {
    case "text":
      return token.tokens ? inside() : prose(characters(token.text), context, flow);
    case "escape":
      return verbatim(token.text, flow);
    case "codespan":
      return `<code>${verbatim(token.text, flow)}</code>`;
    case "em":
    case "strong":
    case "del":
      return `<${token.type}>${inside()}</${token.type}>`;
    case "br":
      return lineBreak(flow);
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "link":
      return linked(token.autolink ? token.href : characters(token.href), inside(), context);
    case "image":
      return picture(characters(token.href), characters(token.text), context);
    case "html":
      return isLineBreakTag(token.raw) ? lineBreak(flow) : verbatim(withoutTags(token.raw), flow);
    case "footnoteReference":
      return noteReference(token.label, context) ?? verbatim(token.raw, flow);
    default:
      return "";
  }
}

function prose(text: string, { typeset }: RenderContext, flow: Flow): string {
  const set = typeset(text, flow.before);
  flow.before = set.at(-1) ?? flow.before;
  return xml(set);
}

function verbatim(text: string, flow: Flow): string {
  flow.before = text.at(-1) ?? flow.before;
  return xml(text);
}

function lineBreak(flow: Flow): string {
  flow.before = "";
  return "<br/>\n";
}

function linked(href: string, text: string, context: RenderContext): string {
  // A link within a link is not HTML. The library reads none, but a note's text is its own.
  const url = text.includes("<a ") ? undefined : context.link(href);
  return url === undefined ? text : `<a href="${xml(url)}">${text}</a>`;
}

function picture(href: string, description: string, context: RenderContext): string {
  const url = context.picture(href);
  if (url !== undefined) return `<img src="${xml(url)}" alt="${xml(description)}"/>`;
  return description === "" ? "" : `<em class="missing">[${xml(description)}]</em>`;
}

/** Undefined where no such note was written. A note is linked back to its first reference. */
function noteReference(label: string, { chapter, noted, epubType }: RenderContext): string | undefined {
  const note = chapter.notes.get(label);
  if (!note) return undefined;
  const known = noted.get(label);
  const number = known ?? noted.size + 1;
  noted.set(label, number);
  const id = known ? "" : ` id="${note.id}-from"`;
  return `<sup class="note"><a${epubType("noteref")} role="doc-noteref"${id} href="#${note.id}">${number}</a></sup>`;
}
