/** A test file as the parts that it is made of. Pure. */
import type { Language, Token } from "./token.ts";

export interface Part {
  /** Equal keys: the same code, however it is laid out. Of a group: what is around its parts. */
  key: string;
  kind: "test" | "group" | "import" | "statement";
  /** For people. */
  name: string;
  line: number;
  /** What it gives a name to, in its scope. */
  binds: string[];
  /** Each thing that an import brings. */
  brings?: string[];
  /** Without comments. Of a group: what is around its parts. */
  tokens: Token[];
  /** Of a group. */
  parts?: Part[];
  /** Python: a compound statement's own statements, as far as they run when the file is loaded. */
  inner?: Part[];
}

/** The same code has the same words, however it is laid out. */
export function keyOf(tokens: Token[], language: Language): string {
  const words: string[] = [];
  const open: { commas: number; head: boolean }[] = [];
  let endsHead = false;
  for (const [at, token] of tokens.entries()) {
    const { text } = token;
    const next = tokens[at + 1];
    const wasHead = endsHead;
    endsHead = false;
    if (OPENS.has(text)) open.push({ commas: 0, head: HEADS.has(tokens[at - 1]?.text ?? "") });
    const around = open.at(-1);
    if (text === "," && around) around.commas += 1;
    // Formatters end a list that they break with a comma. In `(x,)` it makes the list.
    if (text === "," && around && around.commas > 1 && next && CLOSES.has(next.text)) continue;
    if (CLOSES.has(text)) endsHead = open.pop()?.head ?? false;
    if (language === "javascript") {
      if (text === ";" && isIdle({ next, wasHead, before: tokens[at - 1] })) continue;
      if (token.first && at > 0 && endsByLine(tokens[at - 1], token)) words.push("\n");
    }
    words.push(token.kind === "string" ? plainQuotes(text) : text);
  }
  return words.join(" ");
}

const OPENS = new Set(["(", "[", "{"]);
const CLOSES = new Set([")", "]", "}"]);
const HEADS = new Set(["if", "for", "while", "with"]);

/** A semicolon that may as well not be there. */
const isIdle = ({
  next,
  wasHead,
  before,
}: {
  next: Token | undefined;
  wasHead: boolean;
  before: Token | undefined;
}): boolean =>
  !wasHead &&
  !/^(?:else|do|;|\{)$/.test(before?.text ?? ";") &&
  (!next || next.text === "}" || (next.first && !/^[([`+\-*/.,]/.test(next.text)));

/** Words that end with their line: what follows on the next one is another statement. */
const endsByLine = (before: Token | undefined, token: Token): boolean =>
  /^(?:return|throw|break|continue|yield|async)$/.test(before?.text ?? "") ||
  token.text === "++" ||
  token.text === "--";

const plainQuotes = (text: string): string => (/^'[^'"\\\n]*'$/.test(text) ? `"${text.slice(1, -1)}"` : text);

/** Code as one would write it on one line, strings emptied: what is looked for in it has one spelling. */
export function compact(tokens: Token[], strings = false): string {
  const words: string[] = [];
  let last = "";
  for (const token of tokens) {
    const shown = token.kind === "string" && !strings ? '""' : token.text;
    words.push(/[\w$]$/.test(last) && /^[\w$"'`]/.test(shown) ? ` ${shown}` : shown);
    last = shown;
  }
  return words.join("");
}

/** Where each bracket closes; one that nothing closes goes to the end. */
export function closings(tokens: Token[]): Map<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (OPENS.has(text)) open.push(at);
    const from = CLOSES.has(text) ? open.pop() : undefined;
    if (from !== undefined) found.set(from, at);
  }
  for (const from of open) found.set(from, tokens.length - 1);
  return found;
}
