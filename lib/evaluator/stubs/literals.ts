/** Where a string ends, and whether a slash begins a pattern or divides. Pure. */
import type { Language } from "./language.ts";
import type { Token } from "./lex.ts";

/** Undefined: no string begins here. One that does not end with its line, and should, is only a mark (JSX text). */
export function endOfString(text: string, at: number, language: Language): number | undefined {
  const prefix = language.name === "python" ? (stringPrefix(text, at) ?? "") : "";
  const open = at + prefix.length;
  const long = language.longQuotes.find((quote) => text.startsWith(quote, open));
  if (!long && !(language.quotes !== "" && language.quotes.includes(text[open] ?? " "))) return undefined;
  const quote = long ?? text.charAt(open);
  const formatted = language.name === "python" && /[ft]/i.test(prefix);
  const hole = language.name === "javascript" && quote === "`" ? "${" : formatted ? "{" : undefined;
  return scanString(text, open + quote.length, { quote, language, hole, long: long !== undefined });
}

interface Scanned {
  quote: string;
  language: Language;
  /** What opens code within the string. */
  hole: string | undefined;
  long: boolean;
}

function scanString(text: string, from: number, { quote, language, hole, long }: Scanned): number | undefined {
  const raw = language.rawQuotes?.includes(quote) ?? false;
  let at = from;
  while (at < text.length) {
    if (text.startsWith(quote, at)) return at + quote.length;
    if (!long && text[at] === "\n") return undefined;
    if (text[at] === "\\" && !raw) at += 2;
    else if (hole === "{" && text.startsWith("{{", at)) at += 2;
    else if (hole !== undefined && text.startsWith(hole, at)) at = endOfHole(text, at + hole.length, language);
    else at += 1;
  }
  return long ? text.length : undefined;
}

/** Code within a string: its own braces and strings are skipped. */
function endOfHole(text: string, from: number, language: Language): number {
  let depth = 1;
  let at = from;
  while (at < text.length) {
    const end = /[\w$]/.test(text.charAt(at - 1)) ? undefined : endOfString(text, at, language);
    if (end !== undefined) at = end;
    else {
      if (text[at] === "{") depth += 1;
      if (text[at] === "}") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

const stringPrefix = (text: string, at: number): string | undefined => {
  STRING_PREFIX.lastIndex = at;
  return STRING_PREFIX.exec(text)?.[0];
};
const STRING_PREFIX = /[rbuft]{1,2}(?=["'])/iy;

/** Words after which a value begins, so that a slash there begins a pattern. */
const BEFORE_VALUE =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|instanceof|yield|await|export|default)$/;

export function isRegexHere(tokens: Token[]): boolean {
  const last = tokens.findLast(({ kind, text }) => kind !== "comment" && text !== "\n");
  if (!last) return true;
  if (last.kind === "word") return BEFORE_VALUE.test(last.text);
  return last.kind === "mark" && !/^[)\]}]$/.test(last.text);
}

/** The word that ends each text which begins after this line, where the token is the mark that opens one. */
export function heredocEnd(text: string, token: Token): string[] {
  if (token.text !== "<" || text[token.start - 1] === "<" || text[token.start + 2] === "<") return [];
  const word = /^<<-?[\t ]*(["']?)([A-Za-z_]\w*)\1/.exec(text.slice(token.start, token.start + 100))?.[2];
  return word === undefined ? [] : [word];
}
