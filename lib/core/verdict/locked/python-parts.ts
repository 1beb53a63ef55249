/** A Python file as its parts: classes hold parts of their own, every other statement is one. Pure. */

import { pythonBinds } from "./python-names.ts";
import { keyOf, type Part } from "./test-part.ts";
import type { Token } from "./token.ts";
import { tokensOf } from "./token.ts";

export interface Line {
  tokens: Token[];
  /** How many blocks it is in. */
  depth: number;
}

export function pythonParts(text: string): Part[] {
  const lines = linesOf(tokensOf(text, "python").filter(({ kind }) => kind !== "comment"));
  return partsIn(lines, { from: 0, to: lines.length, depth: 0 });
}

const DEEPER: Record<string, number> = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 };
const COMPOUND = /^(?:if|elif|else|for|while|try|except|finally|with|def|async|class)$/;

/** Statements in order, one a line however they were laid out. */
function linesOf(tokens: Token[]): Line[] {
  const lines: Line[] = [];
  const indents: number[] = [];
  let current: Token[] = [];
  let brackets = 0;
  const end = (): void => {
    const [first] = current;
    if (!first) return;
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= first.column) indents.pop();
    for (const line of statementsIn(current, indents.length)) lines.push(line);
    if (current.at(-1)?.text === ":") indents.push(first.column);
    current = [];
  };
  for (const token of tokens) {
    if (token.first && brackets === 0) end();
    current.push(token);
    if (token.kind === "mark") brackets = Math.max(0, brackets + (DEEPER[token.text] ?? 0));
  }
  end();
  return lines;
}

/** What is on one line: statements after each other, or the head of a block and its statements. */
function statementsIn(tokens: Token[], depth: number): Line[] {
  const compound = COMPOUND.test(tokens[0]?.text ?? "");
  const head = compound ? headEnd(tokens) : 0;
  const rest = split(tokens.slice(head)).map((each): Line => ({ tokens: each, depth: compound ? depth + 1 : depth }));
  return compound ? [{ tokens: tokens.slice(0, head), depth }, ...rest] : rest;
}

function headEnd(tokens: Token[]): number {
  let depth = 0;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    depth += DEEPER[text] ?? 0;
    if (depth === 0 && text === ":") return at + 1;
  }
  return tokens.length;
}

function split(tokens: Token[]): Token[][] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "mark") depth += DEEPER[token.text] ?? 0;
    if (depth === 0 && token.text === ";") found.push([]);
    else found.at(-1)?.push(token);
  }
  return found.filter((each) => each.length > 0);
}

interface Range {
  from: number;
  to: number;
  depth: number;
}

function partsIn(lines: Line[], { from, to, depth }: Range): Part[] {
  const parts: Part[] = [];
  for (let at = from; at < to; ) {
    const end = endOfPart(lines, { from: at, to, depth });
    parts.push(partOf(lines, { from: at, to: end, depth }));
    at = end;
  }
  return parts;
}

const CONTINUES = /^(?:elif|else|except|finally)$/;

/** Decorators go with what they decorate, and every branch with its first. */
function endOfPart(lines: Line[], { from, to, depth }: Range): number {
  let end = from;
  while (end < to && lines[end]?.tokens[0]?.text === "@") end += 1;
  end = Math.min(to, end + 1);
  const goesOn = (line: Line | undefined): boolean =>
    line !== undefined && (line.depth > depth || CONTINUES.test(line.tokens[0]?.text ?? ""));
  while (end < to && goesOn(lines[end])) end += 1;
  return end;
}

function partOf(lines: Line[], { from, to, depth }: Range): Part {
  let at = from;
  while (at < to - 1 && lines[at]?.tokens[0]?.text === "@") at += 1;
  const head = lines[at]?.tokens ?? [];
  const body = { from: at + 1, to, depth: depth + 1 };
  const [kind, name] = kindOf(head);
  const own = lines.slice(from, kind === "group" ? at + 1 : to);
  return {
    kind,
    name,
    key: own.map((line) => `${line.depth - depth} ${keyOf(line.tokens, "python")}`).join("\n"),
    line: lines[from]?.tokens[0]?.line ?? 1,
    binds: pythonBinds(head),
    tokens: own.flatMap(({ tokens }) => tokens),
    ...(kind === "import" ? { brings: broughtBy(head) } : {}),
    ...(kind === "group" ? { parts: partsIn(lines, body) } : {}),
    ...(/^(?:if|for|while|try|with)$/.test(head[0]?.text ?? "") ? { inner: loadedIn(lines, body) } : {}),
  };
}

/** Every branch, one after the other. */
const loadedIn = (lines: Line[], range: Range): Part[] => {
  const inner: Part[] = [];
  for (let at = range.from; at < range.to; ) {
    const isHead = (lines[at]?.depth ?? 0) < range.depth;
    const end = isHead ? at + 1 : endOfPart(lines, { ...range, from: at });
    if (!isHead) inner.push(partOf(lines, { from: at, to: end, depth: range.depth }));
    at = end;
  }
  return inner;
};

function kindOf(head: Token[]): [Part["kind"], string] {
  const words = head.map(({ text }) => text);
  const at = words[0] === "async" ? 1 : 0;
  const name = words[at + 1] ?? "";
  if (words[0] === "class") return ["group", name];
  if (words[at] === "def") return [/^test/.test(name) ? "test" : "statement", name];
  if (words[0] === "import" || words[0] === "from") return ["import", words.slice(0, 2).join(" ")];
  return ["statement", words.slice(0, 6).join(" ")];
}

/** `import a, b as c` and `from a import b, c as d`, each name apart. */
function broughtBy(head: Token[]): string[] {
  const words = head.map(({ text }) => text).filter((word) => word !== "(" && word !== ")");
  const from = words[0] === "from" ? words.slice(1, words.indexOf("import")).join("") : "";
  const names = words
    .slice(words.indexOf("import") + 1)
    .join(" ")
    .split(",");
  return names.flatMap((name) => (name.trim() === "" ? [] : [`${from}:${name.trim()}`]));
}
