/** What can be changed in the functions of JavaScript and TypeScript. Pure. */
import type { Token } from "../../text/lex.ts";
import { javascriptBodies } from "../stubs/javascript.ts";
import { expressionEnd } from "../stubs/javascript-functions.ts";
import { lineFeedsIn } from "../stubs/replace.ts";
import { placeAt } from "./operators.ts";
import {
  type Dialect,
  type MutableFunction,
  type MutablePlace,
  PROBE_EXIT,
  PROBE_WORDS,
  wordsOfChange,
  wordsOfRemoval,
} from "./place.ts";

const DIALECT: Dialect = {
  // Runners replace `process.exit` by what throws. Of a type that any compiler takes.
  probe: `(() => { const host = Reflect.get(globalThis, "process"); host?.stderr?.write("${PROBE_WORDS}\\n"); host?.reallyExit?.(${PROBE_EXIT}); throw new Error("${PROBE_WORDS}"); })()`,
  nothing: "undefined",
  noStatement: ";",
  negated: new Map(),
};

interface Reading {
  text: string;
  tokens: Token[];
  pairs: Map<number, number>;
}

export function javascriptFunctions(text: string, isTyped: boolean): MutableFunction[] {
  const { tokens, pairs, bodies } = javascriptBodies(text, isTyped);
  return bodies.map(({ first, last, isBlock }) => {
    const places = placesBetween({ text, tokens, pairs }, first, last);
    const whole = isBlock ? undefined : returnedPlace({ text, tokens, pairs }, first, last);
    return {
      names: wordsOf(tokens.slice(headStart(tokens, first), first)),
      words: wordsOf(tokens.slice(first, last + 1)),
      places: whole ? [whole, ...places] : places,
    };
  });
}

const wordsOf = (tokens: Token[]): Set<string> =>
  new Set(tokens.filter(({ kind }) => kind === "word").map(({ text }) => text));

/** What is before the body in its line, or in the lines of its parameters. */
function headStart(tokens: Token[], first: number): number {
  let at = first - 1;
  let depth = 0;
  while (at > 0) {
    const text = tokens[at]?.text ?? "";
    if (/^[)\]}]$/.test(text)) depth += 1;
    if (/^[([{]$/.test(text)) depth -= 1;
    if (depth <= 0 && tokens[at]?.first) break;
    at -= 1;
  }
  return Math.max(0, at);
}

function placesBetween(reading: Reading, first: number, last: number): MutablePlace[] {
  const { text, tokens, pairs } = reading;
  const places: MutablePlace[] = [];
  for (let at = first; at <= last; at += 1) {
    const token = tokens[at];
    const thrown = token?.kind === "word" && token.text === "throw" ? expressionEnd(tokens, at + 1, pairs) : undefined;
    const dropped = thrown === undefined ? statementEnd(reading, at) : thrown;
    if (dropped !== undefined) places.push(droppedPlace(reading, at, dropped));
    // What an error says is not asked for.
    if (thrown !== undefined) at = thrown;
    if (thrown !== undefined || !token || isLog(tokens, at)) continue;
    const value = token.kind === "word" && token.text === "return" ? returnedValue(reading, at) : undefined;
    if (value) places.push(value);
    const place = isDirective(token, tokens[at + 1]) ? undefined : placeAt(at, { tokens, text, dialect: DIALECT });
    if (place) places.push(place);
  }
  return places;
}

const isDirective = (token: Token, after: Token | undefined): boolean =>
  token.kind === "string" && token.first && (after?.text === ";" || after?.first === true);

/** The words of a log are nothing that a task asks for. */
const isLog = (tokens: Token[], at: number): boolean =>
  tokens[at - 1]?.text === "(" && /^(?:warn|debug|trace)$/.test(tokens[at - 2]?.text ?? "");

function returnedValue(reading: Reading, at: number): MutablePlace | undefined {
  const { tokens, pairs } = reading;
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (before?.text === "." || after?.line !== token?.line || /^[;})]$/.test(after?.text ?? ";")) return undefined;
  const end = expressionEnd(tokens, at + 1, pairs);
  return end === undefined ? undefined : returnedPlace(reading, at + 1, end);
}

function returnedPlace({ text, tokens }: Reading, first: number, last: number): MutablePlace | undefined {
  const part = partOf({ text, tokens }, first, last);
  if (!part || /^(?:undefined|null|void 0)$/.test(part.was)) return undefined;
  const { was, feeds, ...where } = part;
  return {
    ...where,
    text: `${DIALECT.nothing}${feeds}`,
    probe: `${DIALECT.probe}${feeds}`,
    change: wordsOfChange(`return ${was}`, "return undefined"),
  };
}

/** The last token of a statement that calls or assigns, before its semicolon. */
function statementEnd({ tokens, pairs }: Reading, at: number): number | undefined {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!token?.first || token.kind !== "word" || KEYWORD.test(token.text)) return undefined;
  if (!/^[;{}]$/.test(before?.text ?? "")) return undefined;
  let isEffect = false;
  for (let next = at + 1; next < tokens.length; next += 1) {
    const { kind, text } = tokens[next] ?? { kind: "mark", text: "}" };
    if (kind !== "mark") continue;
    if (text === ";") return isEffect ? next - 1 : undefined;
    if (/^(?:,|:|=>|[)\]}])$/.test(text)) return undefined;
    const inner = pairs.get(next);
    const isMember = tokens[next - 2]?.text === "." || tokens[next - 1]?.text === "]";
    isEffect ||=
      (text === "(" && inner !== undefined) || (text === "=" && isMember) || /^(?:[-+*/]=|\+\+|--)$/.test(text);
    if (inner !== undefined && inner > next) next = inner;
  }
  return undefined;
}

const KEYWORD =
  /^(?:const|let|var|return|throw|if|else|for|while|do|switch|case|default|try|catch|finally|class|function|async|import|export|break|continue|super|type|interface|enum|declare|yield)$/;

function droppedPlace({ text, tokens }: Reading, first: number, last: number): MutablePlace {
  const part = partOf({ text, tokens }, first, last) ?? { start: 0, end: 0, line: 0, was: "", feeds: "" };
  const { was, feeds, ...where } = part;
  return {
    ...where,
    text: `${DIALECT.noStatement}${feeds}`,
    probe: `${DIALECT.probe}${feeds}`,
    change: wordsOfRemoval(was),
  };
}

function partOf({ text, tokens }: Pick<Reading, "text" | "tokens">, first: number, last: number) {
  const [from, to] = [tokens[first], tokens[last]];
  if (!from || !to) return undefined;
  const [start, end] = [from.start, to.start + to.text.length];
  const was = text.slice(start, end);
  return { start, end, line: from.line, was, feeds: lineFeedsIn(was) };
}
