/** JavaScript and TypeScript with every outermost function emptied, but for constructors. Pure. */
import { lex, type Token } from "../../text/lex.ts";
import { javascript } from "../../text/source-languages.ts";
import {
  bracketPairs,
  closingBefore,
  expressionEnd,
  functionBefore,
  parameterNames,
  startsType,
} from "./javascript-functions.ts";
import { lineFeedsIn, replaceAll } from "./replace.ts";
import type { Replacement, StubbedText, StubValue } from "./stub-file.ts";

const NAME = "__l2macStub";

export function stubJavascript(text: string, { value, isTyped }: { value: StubValue; isTyped: boolean }): StubbedText {
  const { tokens, bodies } = javascriptBodies(text, isTyped);
  const parts: Replacement[] = [];
  for (const body of bodies) {
    if (body.isKept) continue;
    const [from, to] = [tokens[body.first], tokens[body.last]];
    if (!from || !to) continue;
    const call = `${NAME}(${body.parameters.join(", ")})`;
    const [start, end] = body.isBlock ? [from.start + 1, to.start] : [from.start, to.start + to.text.length];
    const feeds = lineFeedsIn(text.slice(start, end));
    parts.push({ start, end, text: body.isBlock ? ` return ${call}; ${feeds}` : `${call}${feeds}` });
  }
  if (parts.length === 0) return { text, bodies: 0 };
  return { text: `${replaceAll(text, parts)}\n${helper(value, isTyped)}`, bodies: parts.length };
}

interface JavascriptBodies {
  /** Without comments. */
  tokens: Token[];
  pairs: Map<number, number>;
  /** Of the outermost functions. */
  bodies: Body[];
}

export function javascriptBodies(text: string, isTyped: boolean): JavascriptBodies {
  const tokens = lex(text, javascript.shape).filter(({ kind }) => kind !== "comment");
  const pairs = bracketPairs(tokens);
  const bodies: Body[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const body = bodyAt(tokens, at, { pairs, isTyped });
    if (!body) continue;
    at = body.last;
    bodies.push(body);
  }
  return { tokens, pairs, bodies };
}

interface Body {
  /** Its first and last token: the braces, or those of the expression. */
  first: number;
  last: number;
  isBlock: boolean;
  parameters: string[];
  /** A constructor: the interface is made of what it makes. */
  isKept?: boolean;
}

interface Reading {
  pairs: Map<number, number>;
  isTyped: boolean;
}

function bodyAt(tokens: Token[], at: number, { pairs, isTyped }: Reading): Body | undefined {
  const token = tokens[at];
  if (token?.kind !== "mark") return undefined;
  if (token.text === "=>") return arrowBody(tokens, at, { pairs, isTyped });
  const last = token.text === "{" ? pairs.get(at) : undefined;
  const found = last === undefined ? undefined : functionBefore(tokens, at, pairs);
  if (last === undefined || !found) return undefined;
  const parameters = parameterNames(tokens, found.open, pairs);
  return { first: at, last, isBlock: true, parameters, isKept: found.name === "constructor" };
}

function arrowBody(tokens: Token[], at: number, { pairs, isTyped }: Reading): Body | undefined {
  const before = tokens[at - 1];
  const close = before?.text === ")" || isTyped ? closingBefore(tokens, at, pairs) : undefined;
  const open = close === undefined ? undefined : pairs.get(close);
  const parameters =
    open === undefined
      ? before?.kind === "word" && !isTyped
        ? [before.text]
        : []
      : parameterNames(tokens, open, pairs);
  const first = at + 1;
  const end = tokens[first]?.text === "{" ? pairs.get(first) : undefined;
  if (isTyped && startsType(tokens, open ?? at - 1)) return undefined;
  if (end !== undefined) return { first, last: end, isBlock: true, parameters };
  const last = expressionEnd(tokens, first, pairs);
  return last === undefined ? undefined : { first, last, isBlock: false, parameters };
}

/** At the end of the file, where a function is known from the beginning on and no line moves. */
function helper(value: StubValue, isTyped: boolean): string {
  const type = "ReturnType<typeof JSON.parse>";
  const [given, all] = isTyped ? [`(...given: ${type}[]): ${type}`, `(all: ${type})`] : ["(...given)", "(all)"];
  return [
    `function ${NAME}${given} {`,
    // A server that does not answer would only be waited for.
    `  const end = ${all} => { for (const each of all) if (each && typeof each.writeHead === "function") each.end?.(); };`,
    "  end(given);",
    ...(value === "anything" ? ANYTHING : [`  return ${value === "text" ? '""' : "undefined"};`]),
    "}",
    "",
  ].join("\n");
}

const ANYTHING = [
  "  const proxy = () => new Proxy(function () {}, {",
  // What makes the handler of a server is a function too.
  "    apply: (target, self, all) => { end(all); return proxy(); },",
  "    construct: proxy, set: () => true,",
  "    get: (target, key) =>",
  '      key === "then" || key === "toJSON" ? undefined',
  '        : key === Symbol.toPrimitive ? () => "a stub"',
  "        : key === Symbol.iterator ? function* () {}",
  "        : key === Symbol.asyncIterator ? async function* () {}",
  '        : key === "prototype" ? target.prototype',
  '        : key === "apply" || key === "call" || key === "bind" ? target[key] : proxy(),',
  "  });",
  "  return proxy();",
];
