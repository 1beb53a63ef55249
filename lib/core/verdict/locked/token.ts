/** Cuts a test file into words, marks and strings, in one pass however the text is made. Pure. */
import { endOfRegex, endOfString } from "./string-end.ts";

export type Language = "python" | "javascript" | "go";

export interface Token {
  /** `broken`: the rest of a line in which a string begins and does not end. */
  kind: "word" | "mark" | "string" | "broken" | "comment";
  text: string;
  line: number;
  /** From 0. */
  column: number;
  /** The first of its line. */
  first: boolean;
}

const BLANK = /(?:[^\S\n]|\\\r?\n)+/y;
const WORD = /[\w$\u0080-\uffff]+/y;
const MARK = /===?|=>|!==?|:=|->|\+\+|--|\.\.\.|\?\.|&&|\|\||\?\?|\*\*|[-+*/%&|^<>@]=|[\s\S]/y;

export function tokensOf(text: string, language: Language): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let first = true;
  let noRegexUntil = 0;
  // Looked for once, however long a line is.
  let feed = text.indexOf("\n");
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const blank = matchAt(BLANK, text, at)?.length ?? 0;
    const newline = text[at] === "\n";
    if (blank === 0 && !newline) {
      const found = tokenAt(text, at, { language, before: tokens.at(-1), regex: at >= noRegexUntil });
      if (found.notRegex) noRegexUntil = found.notRegex;
      tokens.push({ kind: found.kind, text: text.slice(at, found.end), line, column: at - lineStart, first });
      first = false;
    }
    const end = blank > 0 ? at + blank : newline ? at + 1 : at + (tokens.at(-1)?.text.length ?? 1);
    for (; feed !== -1 && feed < end; feed = text.indexOf("\n", feed + 1)) {
      line += 1;
      lineStart = feed + 1;
    }
    if (newline) first = true;
    at = end;
  }
  return tokens;
}

interface Behind {
  language: Language;
  before: Token | undefined;
  regex: boolean;
}

interface Cut {
  kind: Token["kind"];
  end: number;
  /** Up to here a slash only divides. */
  notRegex?: number;
}

function tokenAt(text: string, at: number, { language, before, regex }: Behind): Cut {
  const comment = commentEnd(text, at, language);
  if (comment !== undefined) return { kind: "comment", end: comment };
  const string = endOfString(text, at, language);
  if (string === "broken") return { kind: "broken", end: lineEnd(text, at) };
  if (string !== undefined) return { kind: "string", end: string };
  if (regex && language === "javascript" && text[at] === "/" && beginsValue(before)) {
    const end = endOfRegex(text, at);
    if (end !== undefined) return { kind: "string", end };
    return { kind: "mark", end: at + 1, notRegex: lineEnd(text, at) };
  }
  const word = matchAt(WORD, text, at);
  return word
    ? { kind: "word", end: at + word.length }
    : { kind: "mark", end: at + (matchAt(MARK, text, at)?.length ?? 1) };
}

function commentEnd(text: string, at: number, language: Language): number | undefined {
  if (language === "python") return text[at] === "#" ? lineEnd(text, at) : undefined;
  if (text.startsWith("//", at) || (at === 0 && text.startsWith("#!"))) return lineEnd(text, at);
  if (!text.startsWith("/*", at)) return undefined;
  const end = text.indexOf("*/", at + 2);
  return end === -1 ? text.length : end + 2;
}

/** Words after which a value begins, so that a slash there begins a pattern. */
const BEFORE_VALUE =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|instanceof|yield|await|export|default)$/;

function beginsValue(before: Token | undefined): boolean {
  if (!before || before.kind === "comment") return true;
  return before.kind === "word"
    ? BEFORE_VALUE.test(before.text)
    : before.kind === "mark" && !/^[)\]}]$/.test(before.text);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
