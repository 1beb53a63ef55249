/** A file of JavaScript, TypeScript or Go as its parts: `describe` holds parts of its own. Pure. */
import { importedBy } from "./braces-imports.ts";
import { closings, keyOf, type Part } from "./test-part.ts";
import { type Language, type Token, tokensOf } from "./token.ts";

interface Source {
  tokens: Token[];
  closing: Map<number, number>;
  language: Language;
}

interface Range {
  from: number;
  to: number;
  nesting: number;
}

export function bracesParts(text: string, language: "javascript" | "go"): Part[] {
  const tokens = tokensOf(text, language).filter(({ kind }) => kind !== "comment");
  return partsIn({ tokens, closing: closings(tokens), language }, { from: 0, to: tokens.length, nesting: 0 });
}

/** Groups deeper than this are compared as a whole. */
const NESTING = 20;

function partsIn(source: Source, { from, to, nesting }: Range): Part[] {
  const parts: Part[] = [];
  for (let at = from; at < to; ) {
    const end = endOfStatement(source, at, to);
    if (source.tokens[at]?.text !== ";") parts.push(partOf(source, { from: at, to: end, nesting }));
    at = end;
  }
  return parts;
}

/** What cannot begin a statement goes on with the one before. */
const GOES_ON =
  /^(?:\?\.|[.([,;)\]}{+\-*/%=<>&|^?:]|[=!]==?|[<>]=|&&|\|\||\?\?|=>|\*\*|[-+*/%&|^]=|else|catch|finally|in|of|instanceof|as|satisfies)$/;
/** After these a statement is not at its end. */
const OPEN =
  /^(?:[.,([{=+\-*/%<>&|^?:!~]|\?\.|[=!]==?|[<>]=|&&|\|\||\?\?|=>|\*\*|[-+*/%&|^]=|else|do|new|await|typeof|void|const|let|var|async|export|function|class|try|finally)$/;
const BLOCK = /^(?:function|class|if|for|while|do|try|switch|\{)$/;

function endOfStatement({ tokens, closing, language }: Source, from: number, to: number): number {
  const block =
    BLOCK.test(tokens[from]?.text ?? "") || (tokens[from]?.text === "async" && tokens[from + 1]?.text === "function");
  let at = from;
  while (at < to) {
    const opened = at;
    const closed = tokens[at]?.kind === "mark" ? closing.get(at) : undefined;
    if (closed !== undefined) at = Math.min(closed, to - 1);
    const next = tokens[at + 1];
    const isHead = closed !== undefined && /^(?:if|for|while|with)$/.test(tokens[opened - 1]?.text ?? "");
    const text = tokens[at]?.text ?? "";
    at += 1;
    if (text === ";" || !next) return at;
    const goesOn = language === "go" ? OPEN.test(text) : GOES_ON.test(next.text) || next.text.startsWith("`");
    if (block && closed !== undefined && text === "}" && !/^(?:else|catch|finally|while)$/.test(next.text)) return at;
    if (next.first && !goesOn && !isHead && !(closed === undefined && OPEN.test(text))) return at;
  }
  return to;
}

function partOf(source: Source, { from, to, nesting }: Range): Part {
  const { tokens, language } = source;
  const own = tokens.slice(from, to);
  const words = own.slice(0, 12).map(({ text }) => text);
  const common = { line: own[0]?.line ?? 1, tokens: own };
  const group = nesting < NESTING ? groupIn(source, { from, to, nesting }) : undefined;
  if (group) return { ...common, ...group, kind: "group", name: nameIn(own), binds: [] };
  const imported = importedBy(own, language);
  const key = keyOf(own, language);
  if (imported) return { ...common, ...imported, kind: "import", name: words.slice(0, 3).join(" "), key };
  const isTest =
    language === "go"
      ? words[0] === "func" && /^(?:Test|Fuzz|Benchmark|Example)/.test(words[1] ?? "")
      : TESTS.test(words[0] ?? "");
  return {
    ...common,
    kind: isTest ? "test" : "statement",
    name: isTest && language !== "go" ? nameIn(own) : words.slice(0, 3).join(" "),
    key,
    binds: bindsOf(words),
  };
}

const TESTS = /^(?:test|it|specify|bench|fit|fdescribe|xit|xtest|xdescribe|xcontext|property)$/;
const GROUPS = /^(?:describe|suite|context)$/;

/** `describe("…", () => { … })`, with anything in between. */
function groupIn(
  { tokens, closing, language }: Source,
  { from, to, nesting }: Range,
): Pick<Part, "key" | "parts" | "tokens"> | undefined {
  const first = tokens[from]?.text === "await" ? from + 1 : from;
  if (language !== "javascript" || !GROUPS.test(tokens[first]?.text ?? "")) return undefined;
  for (let at = first; at < to; at += 1) {
    const isBody = tokens[at]?.text === "{" && /^(?:=>|\))$/.test(tokens[at - 1]?.text ?? "");
    const end = isBody ? Math.min(closing.get(at) ?? to, to - 1) : -1;
    if (end === -1) continue;
    const around = [...tokens.slice(from, at + 1), ...tokens.slice(end, to)];
    return {
      key: keyOf(around, language),
      tokens: around,
      parts: partsIn({ tokens, closing, language }, { from: at + 1, to: end, nesting: nesting + 1 }),
    };
  }
  return undefined;
}

const nameIn = (tokens: Token[]): string =>
  tokens.find(({ kind }) => kind === "string")?.text.slice(1, -1) ?? tokens[0]?.text ?? "";

/** What a declaration names, or the root of what is assigned to. */
function bindsOf(words: string[]): string[] {
  const rest = words.filter((word) => !/^(?:export|default|async|declare|abstract|await)$/.test(word));
  const [first = "", second = ""] = rest;
  if (/^(?:function|class|func|type|namespace|enum)$/.test(first)) return [second === "*" ? (rest[2] ?? "") : second];
  if (/^(?:const|let|var)$/.test(first))
    return /^[{[(]/.test(second) ? rest.slice(2).filter((word) => /^[\w$]/.test(word)) : [second];
  const assigns = rest.findIndex((word) => /^(?:=|:=|\+\+|--|\?\?=|[-+*/%&|^]=)$/.test(word));
  return assigns > 0 && /^[\w$]/.test(first) && !rest.slice(0, assigns).some((word) => word === "(" || word === "=>")
    ? [first]
    : [];
}

const KEYWORDS =
  /^(?:as|async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|false|finally|for|from|func|function|if|import|in|instanceof|interface|let|map|new|nil|null|of|range|return|static|struct|super|switch|this|throw|true|try|type|typeof|undefined|var|void|while|with|yield|\d.*)$/;

/** Names that a part reads and does not make. */
export function bracesUses(part: Part): { names: Set<string>; attributes: Set<string> } {
  const names = new Set<string>();
  const made = new Set<string>();
  for (const [at, { kind, text }] of part.tokens.entries()) {
    if (kind !== "word" || KEYWORDS.test(text)) continue;
    const before = part.tokens[at - 1]?.text ?? "";
    const next = part.tokens[at + 1]?.text ?? "";
    if (before === "." || before === "?.") continue;
    if (/^(?:const|let|var|function|class)$/.test(before) || next === ":=" || next === "=>") made.add(text);
    else if (next !== ":" || before === "?") names.add(text);
  }
  for (const name of made) names.delete(name);
  return { names, attributes: new Set() };
}
