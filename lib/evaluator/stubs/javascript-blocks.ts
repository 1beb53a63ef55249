/** JavaScript and TypeScript as blocks: which braces hold a function's body, whose it is, and what it stands in. Pure. */
import type { Token } from "./lex.ts";

export interface Block {
  /** Places of its braces among the tokens. */
  open: number;
  close: number;
  /** The block around it. */
  within?: Block;
  header: Header;
}

export type Header =
  | { kind: "class"; name: string; base: string; open: boolean }
  | { kind: "function"; name: string; role: "declared" | "method" | "assigned" | "passed"; parameters: Span }
  | { kind: "other" };

/** Places of the brackets around it, or of the one word that needs none. */
export interface Span {
  open: number;
  close: number;
}

/** Of tokens without comments and line feeds. */
export function blocksOf(tokens: Token[]): Block[] {
  const pairs = pairsOf(tokens);
  const blocks: Block[] = [];
  const around: Block[] = [];
  for (const [at, token] of tokens.entries()) {
    while ((around.at(-1)?.close ?? Number.POSITIVE_INFINITY) < at) around.pop();
    if (token.kind !== "mark" || token.text !== "{") continue;
    const within = around.at(-1);
    const header = headerOf({ tokens, pairs }, at, within);
    const block = { open: at, close: pairs.get(at) ?? tokens.length, header, ...(within ? { within } : {}) };
    blocks.push(block);
    around.push(block);
  }
  return blocks;
}

interface Source {
  tokens: Token[];
  pairs: Map<number, number>;
}

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Both ways. A bracket without its like has none. */
function pairsOf(tokens: Token[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (text === "(" || text === "[" || text === "{") open.push(at);
    const opening = CLOSING[text];
    const last = open.at(-1);
    if (opening === undefined || last === undefined || tokens[last]?.text !== opening) continue;
    open.pop();
    pairs.set(at, last).set(last, at);
  }
  return pairs;
}

function headerOf(source: Source, open: number, within: Block | undefined): Header {
  const { tokens } = source;
  const word = (at: number): string => tokens[at]?.text ?? "";
  if (word(open - 1) === "=>") return arrowOf(source, open - 1, within);
  const end = parametersEnd(source, open - 1);
  if (end === undefined) return classOf(tokens, open);
  const before = (source.pairs.get(end) ?? 0) - 1;
  const named = beforeTypeParameters(tokens, before);
  if (CONTROL.test(word(named))) return { kind: "other" };
  const parameters = { open: before + 1, close: end };
  const star = word(named) === "*" ? named - 1 : named;
  if (word(star) === "function") return functionOf(source, { at: star, name: "", parameters });
  const starred = word(named - 1) === "*" ? named - 2 : named - 1;
  if (word(starred) === "function") return functionOf(source, { at: starred, name: word(named), parameters });
  const isName = tokens[named]?.kind !== "mark";
  const accessor = /^(?:set|constructor)$/.test(word(named)) || word(named - 1) === "set";
  if (!isName || accessor || !within) return { kind: "other" };
  const role = within.header.kind === "class" ? "method" : "passed";
  return { kind: "function", name: word(named), role, parameters };
}

const CONTROL = /^(?:if|for|while|switch|catch|with|await|super)$/;

/** The bracket that ends the parameters, over a return type if there is one. */
function parametersEnd({ tokens, pairs }: Source, from: number): number | undefined {
  if (tokens[from]?.text === ")") return from;
  for (let at = from, seen = 0; at > 0 && seen < TYPE_TOKENS; at -= 1, seen += 1) {
    const text = tokens[at]?.text ?? "";
    if (text === ":" && tokens[at - 1]?.text === ")") return at - 1;
    if (CLOSING[text] && tokens[at]?.kind === "mark") at = pairs.get(at) ?? 0;
    else if (!/^(?:[\w$.]+|[<>[\]|&,?'"]|".*"|'.*')$/.test(text) || STATEMENT.test(text)) return undefined;
  }
  return undefined;
}
const TYPE_TOKENS = 40;
const STATEMENT =
  /^(?:class|extends|implements|return|else|do|try|finally|new|case|default|namespace|module|enum|interface|static)$/;

/** `name<T>(`: the name stands before the angle brackets. */
function beforeTypeParameters(tokens: Token[], at: number): number {
  if (tokens[at]?.text !== ">") return at;
  let depth = 0;
  for (let back = at; back > Math.max(0, at - TYPE_TOKENS); back -= 1) {
    if (tokens[back]?.text === ">") depth += 1;
    if (tokens[back]?.text === "<") depth -= 1;
    if (depth === 0) return back - 1;
  }
  return at;
}

function functionOf(
  { tokens }: Source,
  { at, name, parameters }: { at: number; name: string; parameters: Span },
): Header {
  const start = tokens[at - 1]?.text === "async" ? at - 1 : at;
  const before = tokens[start - 1]?.text ?? ";";
  if (before === "=") return assignedAt(tokens, start - 1, parameters);
  const declared = name !== "" && (/^(?:[;{}]|export|default|\))$/.test(before) || newStatement(tokens, start));
  return { kind: "function", name, role: declared ? "declared" : "passed", parameters };
}

/** Statements need not be ended where a line ends. */
const newStatement = (tokens: Token[], at: number): boolean => {
  const before = tokens[at - 1];
  return before === undefined || ((tokens[at]?.line ?? 0) > before.line && !/^[=(,:?&|+[]$|^return$/.test(before.text));
};

function arrowOf(source: Source, arrow: number, within: Block | undefined): Header {
  const { tokens, pairs } = source;
  const end = parametersEnd(source, arrow - 1);
  const first = end === undefined ? arrow - 1 : (pairs.get(end) ?? 0);
  const parameters = { open: first, close: end ?? arrow - 1 };
  const start = beforeTypeParameters(tokens, first - 1) + 1;
  const head = tokens[start - 1]?.text === "async" ? start - 1 : start;
  if (tokens[head - 1]?.text !== "=") return { kind: "function", name: "", role: "passed", parameters };
  const assigned = assignedAt(tokens, head - 1, parameters);
  const isField = within?.header.kind === "class";
  if (assigned.kind === "function" && isField) return { ...assigned, role: "method" };
  return assigned;
}

/** `const name: Type = ` and `exports.name = `; a default of a parameter is only passed. */
function assignedAt(tokens: Token[], equals: number, parameters: Span): Header {
  let at = equals - 1;
  for (let seen = 0; seen < TYPE_TOKENS && at > 0; seen += 1, at -= 1)
    if (/^(?:const|let|var|exports|[;{}(,])$/.test(tokens[at]?.text ?? "")) break;
  const keyword = tokens[at]?.text ?? "";
  const words = tokens.slice(keyword === "exports" ? at + 2 : at + 1, equals).map(({ text }) => text);
  const name = words.find((word) => !MODIFIER.test(word)) ?? "";
  const isOwn = /^(?:const|exports)$/.test(keyword);
  const field = /^[;{}]$/.test(keyword) && !tokens.slice(at, equals).some(({ text }) => text === ".");
  return { kind: "function", name, role: isOwn ? "assigned" : field ? "method" : "passed", parameters };
}

const MODIFIER = /^(?:static|private|public|protected|readonly|declare|override|accessor)$/;

function classOf(tokens: Token[], open: number): Header {
  for (let at = open - 1; at >= 0 && open - at < CLASS_TOKENS; at -= 1) {
    const { text = "", kind } = tokens[at] ?? {};
    if (text === "class" && kind === "word" && tokens[at - 1]?.text !== ".") return classAt(tokens, at, open);
    if (/^[;{}]$/.test(text) && kind === "mark") return { kind: "other" };
  }
  return { kind: "other" };
}
const CLASS_TOKENS = 60;

function classAt(tokens: Token[], at: number, open: number): Header {
  const words = tokens.slice(at + 1, open).map(({ text }) => text);
  const named = words[0] !== undefined && !/^(?:extends|implements)$/.test(words[0]);
  const extending = words.indexOf("extends");
  return {
    kind: "class",
    name: named ? (words[0] ?? "") : "",
    base: extending === -1 ? "" : (words[extending + 1] ?? ""),
    open: tokens[at - 1]?.text === "abstract",
  };
}
