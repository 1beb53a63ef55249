/** A whole chapter as XHTML: its heading, its text, its notes. */
import { renderBlocks } from "./blocks.ts";
import { renderInlines } from "./inlines.ts";
import type { Setting } from "./setting.ts";

export function renderChapter(setting: Setting): string {
  const { chapter, level } = setting;
  const header = chapter.header.length > 0 ? `<h${level}>${renderInlines(chapter.header, setting)}</h${level}>\n` : "";
  const text = renderBlocks(chapter.blocks, setting);
  return `<section id="${chapter.id}" class="chapter">\n${header}${text}${renderNotes(setting)}</section>\n`;
}

/** Notes in the order in which they are referred to, those of notes too; then those that nothing refers to. */
function renderNotes(setting: Setting): string {
  const { chapter, noted } = setting;
  const rendered = new Map<string, string>();
  // Rendering a note can add to the noted ones: this walk meets them as well.
  for (const label of noted.keys()) rendered.set(label, renderNote(label, setting));
  for (const label of chapter.notes.keys()) if (!rendered.has(label)) rendered.set(label, renderNote(label, setting));
  return rendered.size === 0 ? "" : `<div class="notes">\n${[...rendered.values()].join("")}</div>\n`;
}

function renderNote(label: string, setting: Setting): string {
  const note = setting.chapter.notes.get(label);
  if (!note) return "";
  const number = setting.noted.get(label);
  const back = number ? `<a href="#${note.id}-from" role="doc-backlink">${number}</a> ` : "";
  const texts = note.paragraphs.map((parts, at) => `<p>${at === 0 ? back : ""}${renderInlines(parts, setting)}</p>`);
  return `<aside id="${note.id}"${setting.epubType("footnote")} role="doc-footnote">${texts.join("\n")}</aside>\n`;
}
