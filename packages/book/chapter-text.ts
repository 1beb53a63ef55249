/** A whole chapter as XHTML: its heading, its text, its notes. */
import { renderBlocks } from "./blocks.ts";
import { type RenderContext, renderInlines } from "./inlines.ts";

export function renderChapter(context: RenderContext): string {
  const { chapter, level } = context;
  const header = chapter.header.length > 0 ? `<h${level}>${renderInlines(chapter.header, context)}</h${level}>\n` : "";
  const text = renderBlocks(chapter.blocks, context);
  return `<section id="${chapter.id}" class="chapter">\n${header}${text}${renderNotes(context)}</section>\n`;
}

/** Notes in the order in which they are referred to, those of notes too; then those that nothing refers to. */
function renderNotes(context: RenderContext): string {
  const { chapter, noted } = context;
  const rendered = new Map<string, string>();
  // Rendering a note can add to the noted ones: this walk meets them as well.
  for (const label of noted.keys()) rendered.set(label, renderNote(label, context));
  for (const label of chapter.notes.keys()) if (!rendered.has(label)) rendered.set(label, renderNote(label, context));
  return rendered.size === 0 ? "" : `<div class="notes">\n${[...rendered.values()].join("")}</div>\n`;
}

function renderNote(label: string, context: RenderContext): string {
  const note = context.chapter.notes.get(label);
  if (!note) return "";
  const number = context.noted.get(label);
  const back = number ? `<a href="#${note.id}-from" role="doc-backlink">${number}</a> ` : "";
  const texts = note.paragraphs.map((parts, at) => `<p>${at === 0 ? back : ""}${renderInlines(parts, context)}</p>`);
  return `<aside id="${note.id}"${context.epubType("footnote")} role="doc-footnote">${texts.join("\n")}</aside>\n`;
}
