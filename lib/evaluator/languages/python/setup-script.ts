/** What a setup.py says in plain literals: it is read, and never run. Pure. */

export type Literal = string | Literal[] | { [key: string]: Literal } | undefined;

/** The arguments of `setup(...)`, as far as they are literals or names of literals. Undefined: there is no such call. */
export function setupArguments(source: string): Record<string, Literal> | undefined {
  const tokens = tokensOf(source);
  const names = new Map<string, Literal>();
  let found: Record<string, Literal> | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const reader = { tokens, at, names };
    if (tokens[at]?.text === "setup" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== "def") {
      reader.at += 2;
      found ??= argumentsFrom(reader);
    } else if (isName(tokens[at]) && tokens[at + 1]?.text === "=" && (at === 0 || tokens[at - 1]?.endsLine)) {
      reader.at += 2;
      const value = valueFrom(reader);
      if (value !== undefined) names.set(tokens[at]?.text ?? "", value);
      if (opensValue(tokens[at + 2])) at = reader.at - 1;
    }
  }
  return found;
}

export interface Token {
  text: string;
  /** Whether it begins a line, without an indentation. */
  isTop: boolean;
  /** Its value, where it is text. */
  string?: string;
  /** Whether a line ends after it. */
  endsLine: boolean;
}

export interface Reader {
  tokens: Token[];
  at: number;
  names: Map<string, Literal>;
  /** Of the value that is read. */
  depth?: number;
}

/** What is nested deeper is not followed: each level takes room on the stack. */
const DEEPEST = 50;

/** Text that nothing ends is one piece too: it is not searched for its end again and again. */
const TOKEN =
  /#[^\n]*|[rbufRBUF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|[A-Za-z_]\w*|\d[\w.]*|\n|[^\s\w]/g;
const STRING = /^([rbufRBUF]{0,2})("""|'''|"|')([\s\S]*)\2$/;
/** Who writes more than this declares in another manner. */
const TOKENS = 50_000;
const LONGEST_LIST = 5_000;

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, index } of source.matchAll(TOKEN)) {
    if (tokens.length === TOKENS) break;
    const last = tokens.at(-1);
    if (text === "\n") {
      if (last) last.endsLine = true;
    } else if (!text.startsWith("#")) {
      const [, prefix = "", , body] = STRING.exec(text) ?? [];
      const isString = body !== undefined && !/f/i.test(prefix);
      const isTop = index === 0 || source[index - 1] === "\n";
      tokens.push({ text, isTop, endsLine: false, ...(isString ? { string: unescaped(body) } : {}) });
    }
  }
  return tokens;
}

const unescaped = (body: string): string => body.replace(/\\\n/g, "").replace(/\\(["'\\])/g, "$1");
export const isName = (token: Token | undefined): boolean => token !== undefined && /^[A-Za-z_]\w*$/.test(token.text);

/** What such a value holds is read with it, once. */
export const opensValue = (token: Token | undefined): boolean => /^(?:[[({]|dict)$/.test(token?.text ?? "");

function argumentsFrom(reader: Reader): Record<string, Literal> {
  const found: Record<string, Literal> = {};
  while (reader.at < reader.tokens.length && textAt(reader) !== ")") {
    const name = reader.tokens[reader.at];
    if (isName(name) && reader.tokens[reader.at + 1]?.text === "=") {
      reader.at += 2;
      found[name?.text ?? ""] = name?.text.startsWith("package") ? packagesFrom(reader) : valueFrom(reader);
    }
    skipTo([",", ")"], reader);
    if (textAt(reader) === ",") reader.at += 1;
  }
  return found;
}

/** `find_packages("src")` says where they lie. */
function packagesFrom(reader: Reader): Literal {
  if (!/^find_(?:namespace_)?packages$/.test(textAt(reader))) return valueFrom(reader);
  const arguments_ = reader.tokens.slice(reader.at, reader.at + 5);
  const where = arguments_[2]?.text === "where" ? arguments_[4]?.string : arguments_[2]?.string;
  return where === undefined ? undefined : { where };
}

const textAt = ({ tokens, at }: Reader): string => tokens[at]?.text ?? "";

/** Leaves the reader behind the value, or where it can no longer be followed. */
export function valueFrom(reader: Reader): Literal {
  const { depth = 0 } = reader;
  if (depth >= DEEPEST) return undefined;
  reader.depth = depth + 1;
  const value = sumFrom(reader);
  reader.depth = depth;
  return value;
}

function sumFrom(reader: Reader): Literal {
  let value = termFrom(reader);
  while (textAt(reader) === "+") {
    reader.at += 1;
    const more = termFrom(reader);
    if (Array.isArray(value) && Array.isArray(more)) value = [...value, ...more].slice(0, LONGEST_LIST);
    else if (!Array.isArray(value)) value = more;
  }
  return [",", ")", "]", "}", ":", ""].includes(textAt(reader)) || reader.tokens[reader.at - 1]?.endsLine
    ? value
    : undefined;
}

function termFrom(reader: Reader): Literal {
  const token = reader.tokens[reader.at];
  if (token?.string !== undefined) return stringFrom(reader);
  if (token?.text === "[" || token?.text === "(") return listFrom(reader, token.text === "[" ? "]" : ")");
  if (token?.text === "{") return tableFrom(reader);
  if (token?.text === "dict" && reader.tokens[reader.at + 1]?.text === "(") {
    reader.at += 2;
    const table = argumentsFrom(reader);
    reader.at += 1;
    return table;
  }
  reader.at += 1;
  return isName(token) ? reader.names.get(token?.text ?? "") : undefined;
}

/** Texts side by side are one. */
function stringFrom(reader: Reader): string {
  let text = "";
  for (let token = reader.tokens[reader.at]; token?.string !== undefined; token = reader.tokens[reader.at]) {
    text += token.string;
    reader.at += 1;
  }
  return text;
}

function listFrom(reader: Reader, end: string): Literal {
  const found: Literal[] = [];
  reader.at += 1;
  while (reader.at < reader.tokens.length && textAt(reader) !== end) {
    const value = valueFrom(reader);
    if (value !== undefined && found.length < LONGEST_LIST) found.push(value);
    skipTo([",", end], reader);
    if (textAt(reader) === ",") reader.at += 1;
  }
  reader.at += 1;
  return found;
}

function tableFrom(reader: Reader): Literal {
  const found: Record<string, Literal> = Object.create(null);
  reader.at += 1;
  while (reader.at < reader.tokens.length && textAt(reader) !== "}") {
    const key = valueFrom(reader);
    if (textAt(reader) === ":") {
      reader.at += 1;
      const value = valueFrom(reader);
      if (typeof key === "string") found[key] = value;
    }
    skipTo([",", "}"], reader);
    if (textAt(reader) === ",") reader.at += 1;
  }
  reader.at += 1;
  return found;
}

/** Past whatever is not understood, with all that is in its brackets. */
function skipTo(ends: string[], reader: Reader): void {
  let depth = 0;
  for (; reader.at < reader.tokens.length; reader.at += 1) {
    const text = textAt(reader);
    if (depth === 0 && ends.includes(text)) return;
    if ("([{".includes(text)) depth += 1;
    else if (")]}".includes(text)) depth -= 1;
  }
}
