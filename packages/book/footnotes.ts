/** Footnotes in Markdown: `[^1]` in the text, `[^1]: …` at the start of a line. An addition to what the library reads. */
import type { Token, TokenizerExtension } from "marked";

export interface FootnoteReference {
  type: "footnoteReference";
  raw: string;
  label: string;
}

export interface FootnoteDefinition {
  type: "footnoteDefinition";
  raw: string;
  label: string;
  /** One list of parts for each paragraph. */
  paragraphs: Token[][];
}

const reference: TokenizerExtension = {
  name: "footnoteReference",
  level: "inline",
  tokenizer(source): FootnoteReference | undefined {
    const [raw, label] = /^\[\^([^\s\]^]{1,80})\]/.exec(source) ?? [];
    return raw && label ? { type: "footnoteReference", raw, label } : undefined;
  },
};

/** Further lines belong to the note up to a blank one or the next note; after a blank one, those that are indented. */
const DEFINITION =
  /^\[\^([^\s\]^]{1,80})\]:[ \t]*([^\n]*(?:\n(?!\[\^)[ \t]*[^\n \t][^\n]*|\n[ \t]*\n(?= {4}|\t)[^\n]+)*)(?:\n+|$)/;

const definition: TokenizerExtension = {
  name: "footnoteDefinition",
  level: "block",
  tokenizer(source): FootnoteDefinition | undefined {
    const [raw, label, body] = this.lexer.state.top ? (DEFINITION.exec(source) ?? []) : [];
    if (!raw || !label || body === undefined) return undefined;
    const texts = body.split(/\n[ \t]*\n/).map((text) => text.replace(/^[ \t]+/gm, ""));
    const paragraphs = texts.map((text) => this.lexer.inline(text));
    return { type: "footnoteDefinition", raw, label, paragraphs };
  },
};

export const footnotes = [reference, definition];
