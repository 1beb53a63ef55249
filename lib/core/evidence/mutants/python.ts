/** What can be changed in the functions of Python. Pure. */
import { lex, type Token } from "../../text/lex.ts";
import { headerEnd, logicalLines } from "../../text/python-lines.ts";
import { python } from "../../text/source-languages.ts";
import { endOf, functionName } from "../stubs/python.ts";
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
  probe: `(__import__("os").write(2, b"${PROBE_WORDS}\\n"), __import__("os")._exit(${PROBE_EXIT}))`,
  nothing: "None",
  noStatement: "pass",
  negated: new Map([
    ["in", "not in"],
    ["is", "is not"],
  ]),
};

export function pythonFunctions(text: string): MutableFunction[] {
  const lines = logicalLines(lex(text, python.shape));
  return lines.flatMap((line, at): MutableFunction[] => {
    const name = functionName(line);
    if (name === undefined || line.within.some((outer) => functionName(outer) !== undefined)) return [];
    let end = at + 1;
    while ((lines[end]?.indent ?? -1) > line.indent) end += 1;
    const own = line.tokens.slice(headerEnd(line.tokens) + 1);
    const body = [...(own.length > 0 ? [own] : []), ...lines.slice(at + 1, end).map(({ tokens }) => tokens)];
    return [
      { names: new Set([name]), words: wordsOf(body.flat()), places: body.flatMap((each) => placesIn(text, each)) },
    ];
  });
}

const wordsOf = (tokens: Token[]): Set<string> =>
  new Set(tokens.filter(({ kind }) => kind === "word").map(({ text }) => text));

function placesIn(text: string, tokens: Token[]): MutablePlace[] {
  const [first] = tokens;
  // A text alone is documentation, and what a log says is nothing that a task asks for.
  if (!first || tokens.every(({ kind }) => kind === "string") || LOG.test(first.text)) return [];
  const begins = statementStart(tokens);
  const part = { tokens: tokens.slice(begins), text };
  const [start] = part.tokens;
  if (start?.text === "raise") return [droppedPlace(part)];
  const whole = start?.text === "return" ? returnedPlace(part) : isEffect(part.tokens) ? droppedPlace(part) : undefined;
  const places = tokens.flatMap((_, at) => placeAt(at, { tokens, text, dialect: DIALECT }) ?? []);
  return whole ? [whole, ...places] : places;
}

const LOG = /^(?:log|logger|logging|warnings)$/;

/** After `if a:` on one line. */
function statementStart(tokens: Token[]): number {
  if (!/^(?:if|elif|else|for|while|with|try|except|finally|case)$/.test(tokens[0]?.text ?? "")) return 0;
  return headerEnd(tokens) + 1;
}

interface Part {
  tokens: Token[];
  text: string;
}

function returnedPlace({ tokens, text }: Part): MutablePlace | undefined {
  const part = partOf(tokens.slice(1), text);
  if (!part || part.was === "None") return undefined;
  const { was, feeds, ...where } = part;
  // Line feeds without brackets would end the statement.
  const pad = (instead: string): string => (feeds === "" ? instead : `(${instead}${feeds})`);
  const change = wordsOfChange(`return ${was}`, "return None");
  return { ...where, text: pad(DIALECT.nothing), probe: pad(DIALECT.probe), change };
}

function droppedPlace({ tokens, text }: Part): MutablePlace {
  const { was, feeds, ...where } = partOf(tokens, text) ?? { start: 0, end: 0, line: 0, was: "", feeds: "" };
  const instead = `${DIALECT.noStatement}${feeds}`;
  return { ...where, text: instead, probe: `${DIALECT.probe}${feeds}`, change: wordsOfRemoval(was) };
}

/** It calls something, or assigns to a part of something. */
function isEffect(tokens: Token[]): boolean {
  const [first] = tokens;
  if (first?.kind !== "word" || KEYWORD.test(first.text)) return false;
  const last = tokens.at(-1);
  let depth = 0;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (/^[([{]$/.test(text)) depth += 1;
    if (/^[)\]}]$/.test(text)) depth -= 1;
    if (depth > 0) continue;
    if (/^[-+*/%]=$/.test(text)) return true;
    if (text === "=") return tokens[at - 1]?.text === "]" || tokens[at - 2]?.text === ".";
  }
  return last?.text === ")";
}

const KEYWORD =
  /^(?:return|raise|if|elif|else|for|while|with|try|except|finally|def|class|import|from|global|nonlocal|pass|break|continue|del|assert|yield|lambda|async|match|case)$/;

function partOf(tokens: Token[], text: string) {
  const [first] = tokens;
  if (!first) return undefined;
  const [start, end] = [first.start, endOf({ tokens })];
  const was = text.slice(start, end);
  return { start, end, line: first.line, was, feeds: lineFeedsIn(was) };
}
