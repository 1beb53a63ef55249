/** Cuts source text into words, marks, strings and comments. Pure. Code in the middle of an edit is cut as well. */
import type { Language } from "./language.ts";
import { endOfString, heredocEnd, isRegexHere } from "./literals.ts";

export interface Token {
  kind: "word" | "mark" | "string" | "comment";
  text: string;
  start: number;
  line: number;
  /** From 1. */
  column: number;
}

const BLANK = /[^\S\n]+|\\\r?\n/y;
const WORD = /[\w$\u0080-\uffff]+/y;
const MARK = /=>|\.\.\.|[\s\S]/y;
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** Line feeds are marks: some languages end their statements with them. */
export function lex(text: string, language: Language): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let heredocs: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const blank = matchAt(BLANK, text, at);
    if (blank) {
      if (blank.includes("\n")) [line, lineStart] = [line + 1, at + blank.length];
      at += blank.length;
      continue;
    }
    const token = { ...nextToken(text, at, { language, tokens }), start: at, line, column: at - lineStart + 1 };
    tokens.push(token);
    at += token.text.length;
    if (language.name === "shell") heredocs.push(...heredocEnd(text, token));
    if (token.text === "\n" && heredocs.length > 0) {
      for (const end of heredocs) at = afterHeredoc(text, at, end);
      heredocs = [];
    }
    const passed = text.slice(token.start, at);
    if (!passed.includes("\n")) continue;
    line += passed.split("\n").length - 1;
    lineStart = token.start + passed.lastIndexOf("\n") + 1;
  }
  return tokens;
}

interface Behind {
  language: Language;
  tokens: Token[];
}

function nextToken(text: string, at: number, { language, tokens }: Behind): Pick<Token, "kind" | "text"> {
  const comment = commentAt(text, at, language);
  if (comment !== undefined) return { kind: "comment", text: comment };
  const end = endOfString(text, at, language);
  if (end !== undefined) return { kind: "string", text: text.slice(at, end) };
  if (language.name === "javascript" && text[at] === "/" && isRegexHere(tokens)) {
    const regex = matchAt(REGEX, text, at);
    if (regex) return { kind: "string", text: regex };
  }
  const word = matchAt(WORD, text, at);
  return word ? { kind: "word", text: word } : { kind: "mark", text: matchAt(MARK, text, at) ?? text.charAt(at) };
}

function commentAt(text: string, at: number, { name, lineComments, blockComments }: Language): string | undefined {
  if (lineComments.some((mark) => text.startsWith(mark, at))) {
    // In a shell `$#` counts and `${a#b}` cuts.
    if (name === "shell" && at > 0 && !/[\s;()&|]/.test(text.charAt(at - 1))) return undefined;
    const end = text.indexOf("\n", at);
    return text.slice(at, end === -1 ? undefined : end);
  }
  const block = blockComments.find(([open]) => text.startsWith(open, at));
  if (!block) return undefined;
  const end = text.indexOf(block[1], at + block[0].length);
  return text.slice(at, end === -1 ? undefined : end + block[1].length);
}

function afterHeredoc(text: string, at: number, end: string): number {
  const closing = new RegExp(`^[\\t ]*${end}[\\t ]*$`, "m");
  const found = closing.exec(text.slice(at));
  return found ? at + found.index + found[0].length : text.length;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
