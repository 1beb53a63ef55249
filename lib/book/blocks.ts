/** Paragraphs, lists, tables, code: the blocks of a chapter, as XHTML. */
import type { Tokens } from "marked";
import { xml } from "../core/text/xml.ts";
import { characters } from "./character-references.ts";
import { withoutTags } from "./clean-html.ts";
import { renderInlines } from "./inlines.ts";
import { type MarkdownToken, partsOf } from "./markdown.ts";
import { plainText } from "./plain-text.ts";
import type { Setting } from "./setting.ts";

/** XML readers give up on documents that nest too deep; no reader follows a list within so many lists. */
const NESTED_AT_MOST = 16;

export function renderBlocks(blocks: MarkdownToken[], setting: Setting, depth = 0): string {
  if (depth > NESTED_AT_MOST) return `<p>${xml(plainText(blocks))}</p>\n`;
  return blocks.map((block) => renderBlock(block, setting, depth)).join("");
}

function renderBlock(block: MarkdownToken, setting: Setting, depth: number): string {
  switch (block.type) {
    case "paragraph":
      return paragraph(partsOf(block), setting);
    case "heading":
      return heading(block, setting);
    case "blockquote":
      return `<blockquote>\n${renderBlocks(partsOf(block), setting, depth + 1)}</blockquote>\n`;
    case "list":
      return list(block, setting, depth);
    case "code":
      return `<pre><code>${xml(block.text)}</code></pre>\n`;
    case "table":
      return table(block, setting);
    case "hr":
      return "<hr/>\n";
    case "html":
      return html(block.raw, setting);
    case "space":
    case "def":
    case "footnoteDefinition":
      return "";
    default:
      // What a tight list holds: words without a paragraph around them.
      return `${renderInlines([block], setting)}\n`;
  }
}

function paragraph(parts: MarkdownToken[], setting: Setting): string {
  const name = parts.every(({ type }) => type === "image") ? "figure" : "p";
  return `<${name}>${renderInlines(parts, setting)}</${name}>\n`;
}

function heading(block: Tokens.Heading, setting: Setting): string {
  const known = setting.chapter.headings.get(block);
  const level = Math.min(6, setting.level + (known?.level ?? block.depth) - 1);
  const id = known ? ` id="${known.id}"` : "";
  return `<h${level}${id}>${renderInlines(partsOf(block), setting)}</h${level}>\n`;
}

function list({ ordered, start, items }: Tokens.List, setting: Setting, depth: number): string {
  const name = ordered ? "ol" : "ul";
  const from = ordered && start !== "" && start !== 1 ? ` start="${start}"` : "";
  const rows = items.map((item) => `<li>${renderBlocks(partsOf(item), setting, depth + 1)}</li>\n`).join("");
  return `<${name}${from}>\n${rows}</${name}>\n`;
}

function table({ header, rows }: Tokens.Table, setting: Setting): string {
  const row = (cells: Tokens.TableCell[]): string =>
    `<tr>${cells.map((cell) => tableCell(cell, setting)).join("")}</tr>\n`;
  const body = rows.length > 0 ? `<tbody>\n${rows.map(row).join("")}</tbody>\n` : "";
  return `<div class="table"><table>\n<thead>\n${row(header)}</thead>\n${body}</table></div>\n`;
}

function tableCell({ header, align, tokens }: Tokens.TableCell, setting: Setting): string {
  const name = header ? "th" : "td";
  const side = align ? ` class="${align}"` : "";
  return `<${name}${side}>${renderInlines(partsOf({ tokens }), setting)}</${name}>`;
}

/** What is left of raw HTML is text; where it ended a line, so do we. */
function html(raw: string, setting: Setting): string {
  const text = setting.typeset(characters(withoutTags(raw))).trim();
  return text === "" ? "" : `<p>${xml(text).replaceAll("\n", "<br/>\n")}</p>\n`;
}
