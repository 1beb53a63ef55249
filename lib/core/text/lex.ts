/** Cuts source text into words, marks, strings and comments, in one pass. Pure. Unfinished code is cut as well. */
import { endOfRegex, endOfString } from "./string-end.ts";

/** How comments and strings are written in a language. */
export interface SourceShape {
  lineComments: string[];
  blockComments: [string, string][];
  /** Quotes of strings that end with their line. */
  quotes: string;
  /** Quotes of strings that may span lines, longer ones first. */
  longQuotes: string[];
  /** Quotes within which a backslash is an ordinary character. */
  rawQuotes?: string;
  /** Python: string prefixes. JavaScript: regular expressions. Shell: here-documents. */
  dialect?: "python" | "javascript" | "shell";
}

export interface Token {
  /** `broken`: the rest of a line in which a string begins and does not end. */
  kind: "word" | "mark" | "string" | "broken" | "comment";
  text: string;
  start: number;
  line: number;
  /** From 0. */
  column: number;
  /** The first of its line. */
  first: boolean;
}

const BLANK = /(?:[^\S\n]|\\\r?\n)+/y;
const WORD = /[\w$\u0080-\uffff]+/y;
const MARK = /===?|=>|!==?|:=|->|\+\+|--|\.\.\.|\?\.|&&|\|\||\?\?|\*\*|[-+*/%&|^<>@]=|[\s\S]/y;

export function lex(text: string, shape: SourceShape): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let first = true;
  let noRegexUntil = 0;
  let heredocs: string[] = [];
  // Searched once, however long a line is.
  let feed = text.indexOf("\n");
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const blank = matchAt(BLANK, text, at)?.length ?? 0;
    const newline = text[at] === "\n";
    let end = at + Math.max(blank, newline ? 1 : 0);
    if (end === at) {
      const found = tokenAt(text, at, { shape, before: tokens.at(-1), regex: at >= noRegexUntil });
      if (found.notRegex) noRegexUntil = found.notRegex;
      end = found.end;
      tokens.push({ kind: found.kind, text: text.slice(at, end), start: at, line, column: at - lineStart, first });
      first = false;
      if (shape.dialect === "shell") heredocs.push(...heredocAt(text, at));
    }
    if (newline) {
      first = true;
      for (const word of heredocs) end = afterHeredoc(text, end, word);
      heredocs = [];
    }
    for (; feed !== -1 && feed < end; feed = text.indexOf("\n", feed + 1)) {
      line += 1;
      lineStart = feed + 1;
    }
    at = end;
  }
  return tokens;
}

interface Position {
  shape: SourceShape;
  before: Token | undefined;
  regex: boolean;
}

interface Cut {
  kind: Token["kind"];
  end: number;
  /** Up to here a slash only divides. */
  notRegex?: number;
}

function tokenAt(text: string, at: number, { shape, before, regex }: Position): Cut {
  const comment = commentEnd(text, at, shape);
  if (comment !== undefined) return { kind: "comment", end: comment };
  const string = endOfString(text, at, shape);
  if (string === "broken") return { kind: "broken", end: lineEnd(text, at) };
  if (string !== undefined) return { kind: "string", end: string };
  if (regex && shape.dialect === "javascript" && text[at] === "/" && beginsValue(before)) {
    const end = endOfRegex(text, at);
    if (end !== undefined) return { kind: "string", end };
    return { kind: "mark", end: at + 1, notRegex: lineEnd(text, at) };
  }
  const word = matchAt(WORD, text, at);
  return word
    ? { kind: "word", end: at + word.length }
    : { kind: "mark", end: at + (matchAt(MARK, text, at)?.length ?? 1) };
}

function commentEnd(text: string, at: number, { lineComments, blockComments, dialect }: SourceShape) {
  if (lineComments.some((mark) => text.startsWith(mark, at)) || (at === 0 && text.startsWith("#!"))) {
    // In a shell `$#` is a count and `${a#b}` cuts a prefix.
    const isInWord = dialect === "shell" && at > 0 && !/[\s;()&|]/.test(text.charAt(at - 1));
    return isInWord ? undefined : lineEnd(text, at);
  }
  const block = blockComments.find(([open]) => text.startsWith(open, at));
  if (!block) return undefined;
  const end = text.indexOf(block[1], at + block[0].length);
  return end === -1 ? text.length : end + block[1].length;
}

/** Words after which a value begins, so that a slash there begins a regular expression. */
const BEFORE_VALUE =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|instanceof|yield|await|export|default)$/;

function beginsValue(before: Token | undefined): boolean {
  if (!before || before.kind === "comment") return true;
  return before.kind === "word"
    ? BEFORE_VALUE.test(before.text)
    : before.kind === "mark" && !/^[)\]}]$/.test(before.text);
}

/** The word that ends a here-document, if one is announced here. */
function heredocAt(text: string, at: number): string[] {
  if (text[at] !== "<" || text[at - 1] === "<" || text[at + 2] === "<") return [];
  const word = /^<<-?[\t ]*(["']?)([A-Za-z_]\w*)\1/.exec(text.slice(at, at + 100))?.[2];
  return word === undefined ? [] : [word];
}

function afterHeredoc(text: string, at: number, word: string): number {
  const closing = new RegExp(`^[\\t ]*${word}[\\t ]*$`, "gm");
  closing.lastIndex = at;
  const found = closing.exec(text);
  return found ? found.index + found[0].length : text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
