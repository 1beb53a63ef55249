/** Paragraphs, lists, tables, code: the blocks of a chapter, as XHTML. */
import type { Tokens } from "marked";
import { xml } from "../../lib/core/text/xml.ts";
import { characters } from "./character-references.ts";
import { withoutTags } from "./clean-html.ts";
import { type RenderContext, renderInlines } from "./inlines.ts";
import { type MarkdownToken, partsOf } from "./markdown.ts";
import { plainText } from "./plain-text.ts";

/** XML readers give up on documents that nest too deep; no reader follows a list within so many lists. */
const NESTED_AT_MOST = 16;

export function renderBlocks(blocks: MarkdownToken[], context: RenderContext, depth = 0): string {
  if (depth > NESTED_AT_MOST) return `<p>${xml(plainText(blocks))}</p>\n`;
  return blocks.map((block) => renderBlock(block, context, depth)).join("");
}

function renderBlock(block: MarkdownToken, context: RenderContext, depth: number): string {
  switch (block.type) {
    case "paragraph":
      return paragraph(partsOf(block), context);
    case "heading":
      return heading(block, context);
    case "blockquote":
      return `<blockquote>\n${renderBlocks(partsOf(block), context, depth + 1)}</blockquote>\n`;
    case "list":
      return list(block, context, depth);
    case "code":
      return `<pre><code>${xml(block.text)}</code></pre>\n`;
    case "table":
      return table(block, context);
    case "hr":
      return "<hr/>\n";
    case "html":
      return html(block.raw, context);
    case "space":
    case "def":
    case "footnoteDefinition":
      return "";
    default:
      // What a tight list holds: words without a paragraph around them.
      return `${renderInlines([block], context)}\n`;
  }
}

function paragraph(parts: MarkdownToken[], context: RenderContext): string {
  const name = parts.every(({ type }) => type === "image") ? "figure" : "p";
  return `<${name}>${renderInlines(parts, context)}</${name}>\n`;
}

function heading(block: Tokens.Heading, context: RenderContext): string {
  const known = context.chapter.headings.get(block);
  const level = Math.min(6, context.level + (known?.level ?? block.depth) - 1);
  const id = known ? ` id="${known.id}"` : "";
  return `<h${level}${id}>${renderInlines(partsOf(block), context)}</h${level}>\n`;
}

function list({ ordered, start, items }: Tokens.List, context: RenderContext, depth: number): string {
  const name = ordered ? "ol" : "ul";
  const from = ordered && start !== "" && start !== 1 ? ` start="${start}"` : "";
  const rows = items.map((item) => `<li>${renderBlocks(partsOf(item), context, depth + 1)}</li>\n`).join("");
  return `<${name}${from}>\n${rows}</${name}>\n`;
}

function table({ header, rows }: Tokens.Table, context: RenderContext): string {
  const row = (cells: Tokens.TableCell[]): string =>
    `<tr>${cells.map((cell) => tableCell(cell, context)).join("")}</tr>\n`;
  const body = rows.length > 0 ? `<tbody>\n${rows.map(row).join("")}</tbody>\n` : "";
  return `<div class="table"><table>\n<thead>\n${row(header)}</thead>\n${body}</table></div>\n`;
}

function tableCell({ header, align, tokens }: Tokens.TableCell, context: RenderContext): string {
  const name = header ? "th" : "td";
  const side = align ? ` class="${align}"` : "";
  return `<${name}${side}>${renderInlines(partsOf({ tokens }), context)}</${name}>`;
}

/** What is left of raw HTML is text; where it ended a line, so do we. */
function html(raw: string, context: RenderContext): string {
  const text = context.typeset(characters(withoutTags(raw))).trim();
  return text === "" ? "" : `<p>${xml(text).replaceAll("\n", "<br/>\n")}</p>\n`;
}
