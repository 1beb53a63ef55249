/** One chapter: its title, its headings with the addresses that links find them by, its notes, its text. */
import { characters } from "./character-references.ts";
import { literal, type MarkdownToken, partsOf } from "./markdown.ts";
import { plainText } from "./plain-text.ts";
import { titleOfFile } from "./title.ts";

export interface Heading {
  /** Unique in the book, fit for XML. */
  id: string;
  title: string;
  /** 1: as high as the chapter's own. */
  level: number;
}

export interface Chapter {
  path: string;
  id: string;
  title: string;
  /** The title above the text; empty if the text shows it further down. */
  header: MarkdownToken[];
  blocks: MarkdownToken[];
  /** Of the blocks that are headings. */
  headings: Map<MarkdownToken, Heading>;
  /** What a link's `#fragment` may name, with the id that it means. */
  anchors: Map<string, string>;
  /** By their labels. */
  notes: Map<string, Note>;
}

export interface Note {
  id: string;
  paragraphs: MarkdownToken[][];
}

interface ChapterFile {
  path: string;
  /** Counted from 1. */
  number: number;
  tokens: MarkdownToken[];
}

export function readChapter({ path, number, tokens }: ChapterFile): Chapter {
  const all = tokens.filter(isContent);
  const titled = all.find((block) => block.type === "heading" && plainText(partsOf(block)) !== "");
  const leads = titled !== undefined && titled === all[0];
  const blocks = leads ? all.slice(1) : all;
  const title = titled?.type === "heading" ? plainText(partsOf(titled)) : titleOfFile(path);
  const depth = titled?.type === "heading" ? titled.depth : 1;
  const id = `c${number}`;
  const headings = headingsOf(blocks, id, depth);
  return {
    path,
    id,
    title,
    header: leads && titled.type === "heading" ? partsOf(titled) : titled ? [] : [literal(title)],
    blocks,
    headings,
    anchors: anchorsOf([{ id, title }, ...headings.values()]),
    notes: notesOf(all, id),
  };
}

const isContent = (block: MarkdownToken): boolean =>
  block.type !== "space" && block.type !== "def" && !(block.type === "html" && plainText([block]) === "");

function headingsOf(blocks: MarkdownToken[], id: string, titleDepth: number): Map<MarkdownToken, Heading> {
  const headings = blocks.filter((block) => block.type === "heading");
  return new Map(
    headings.map((block, index) => [
      block,
      {
        id: `${id}-${index + 1}`,
        title: plainText(partsOf(block)),
        level: Math.max(1, block.depth - titleDepth + 1),
      },
    ]),
  );
}

/** Of two notes with one label the first counts. */
function notesOf(blocks: MarkdownToken[], id: string): Map<string, Note> {
  const notes = new Map<string, Note>();
  for (const block of blocks) {
    if (block.type !== "footnoteDefinition" || notes.has(block.label)) continue;
    const paragraphs = block.paragraphs.map((tokens) => partsOf({ tokens }));
    notes.set(block.label, { id: `${id}-n${notes.size + 1}`, paragraphs });
  }
  return notes;
}

/** Writers link to headings as code hosts address them: small letters, hyphens for spaces, -1 for the second one. */
function anchorsOf(headings: { id: string; title: string }[]): Map<string, string> {
  const anchors = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const { id, title } of headings) {
    const slug = slugOf(title);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.set(before === 0 ? slug : `${slug}-${before}`, id);
  }
  return anchors;
}

const slugOf = (title: string): string =>
  characters(title)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
