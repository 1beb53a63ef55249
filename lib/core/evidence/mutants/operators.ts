/** What a mutant changes in the tokens of a function: operators and constants. Pure. */
import type { Token } from "../../text/lex.ts";
import { type Dialect, type MutablePlace, wordsOfChange, wordsOfRemoval } from "./place.ts";

/** By what is written: as maps, because code has words such as `constructor`, which every object has. */
const mapOf = (changes: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(changes));
const COMPARISONS = mapOf({
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
});
const ARITHMETIC = mapOf({ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" });
const ASSIGNMENTS = mapOf({ "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=" });
const BOOLEAN = mapOf({ "&&": "||", "||": "&&", "??": "&&", and: "or", or: "and" });
const CONSTANTS = mapOf({ true: "false", false: "true", True: "False", False: "True" });

/** Whether a value ends with this token, so that an operator after it has two sides. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === "string" ||
    (token.kind === "word" && !NO_VALUE.test(token.text)) ||
    (token.kind === "mark" && /^[)\]}]$/.test(token.text)));
const NO_VALUE =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|instanceof|yield|await|not|and|or|is|if|elif|while|lambda|print|assert)$/;

export interface Code {
  tokens: readonly Token[];
  text: string;
  dialect: Dialect;
}

/** What is changed at this token, if anything. */
export function placeAt(at: number, code: Code): MutablePlace | undefined {
  const { tokens } = code;
  const token = tokens[at];
  if (!token) return undefined;
  const made = changeAt(at, code);
  if (!made) return undefined;
  const { start, line, text: was } = token;
  return { start, end: start + was.length, line, change: wordsOfChange(was, made.text), ...made };
}

type Change = Pick<MutablePlace, "text" | "probe"> & Partial<Pick<MutablePlace, "change">>;

function changeAt(at: number, { tokens, text, dialect }: Code): Change | undefined {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token) return undefined;
  if (token.kind === "string") return stringChange(tokens, at, dialect);
  if (token.kind !== "mark" && token.kind !== "word") return undefined;
  const { text: was } = token;
  const constant = CONSTANTS.get(was);
  if (constant && before?.text !== ".") return { text: constant, probe: dialect.probe };
  if (/^(?:0|[1-9]\d{0,8})$/.test(was) && before?.text !== "." && !isKey(before, after))
    return { text: String(Number(was) + 1), probe: dialect.probe };
  if (was === "not" || was === "!") return notChange(before, token, dialect);
  const boolean = BOOLEAN.get(was);
  if (boolean && !isOfChain(tokens, at)) {
    const held = was === "and" || was === "or" ? "|" : "===";
    return endsValue(before) ? { text: boolean, probe: `${held} ${dialect.probe} ${was}` } : undefined;
  }
  const operator = COMPARISONS.get(was) ?? ARITHMETIC.get(was);
  // Without blanks around it, it may belong to a type, a tag, an unpacked list or a shift.
  if (operator && isApart(text, token) && endsValue(before) && !joinsTexts(before, token, after))
    return { text: operator, probe: `${was} ${dialect.probe} ${was}` };
  const negated = dialect.negated.get(was);
  if (negated && endsValue(before) && after?.text !== "not" && !isOfLoop(tokens, at))
    return { text: negated, probe: `${was} ${dialect.probe} ${was}` };
  const assignment = ASSIGNMENTS.get(was);
  if (assignment && after?.kind !== "string")
    return { text: assignment, probe: `${was} ${dialect.probe} ${was.charAt(0)}` };
  return undefined;
}

const NEAR = 20;

/** A default of a default: `??` and `&&` side by side are no code. */
const isOfChain = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === "??" &&
  tokens.slice(Math.max(0, at - NEAR), at + NEAR).filter(({ text }) => text === "??").length > 1;

/** The `in` of `for a, (b, *c) in d`. */
function isOfLoop(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (
    /^[,()*.[\]]$/.test(tokens[before]?.text ?? "") ||
    (tokens[before]?.kind === "word" && endsValue(tokens[before]))
  )
    if (tokens[before--]?.text === "for") return true;
  return false;
}

const isApart = (text: string, { start, text: { length } }: Token): boolean =>
  /\s/.test(text.charAt(start - 1)) && /\s/.test(text.charAt(start + length));

/** Subtraction of texts would be found by anything. */
const joinsTexts = (before: Token | undefined, { text }: Token, after: Token | undefined): boolean =>
  text === "+" && (before?.kind === "string" || after?.kind === "string");

function notChange(before: Token | undefined, { text }: Token, { probe }: Dialect): Change | undefined {
  if (text === "!")
    return endsValue(before) ? undefined : { text: "", probe: `!${probe} || !`, change: wordsOfRemoval(text) };
  const held =
    before?.text === "is" ? `${probe} is not` : endsValue(before) ? `== ${probe} not` : `not ${probe} or not`;
  return { text: "", probe: held, change: wordsOfRemoval(text) };
}

function stringChange(tokens: readonly Token[], at: number, { probe }: Dialect): Change | undefined {
  const [outer, before, token, after] = [tokens[at - 2], tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token || token.text.startsWith("/")) return undefined;
  const isTagged = token.text.startsWith("`") && endsValue(before);
  const isModule = before?.text === "(" && /^(?:import|require)$/.test(outer?.text ?? "");
  // Python joins texts that are side by side.
  if (isKey(before, after) || isTagged || isModule || before?.kind === "string" || after?.kind === "string")
    return undefined;
  const prefix = /^[A-Za-z]*/.exec(token.text)?.[0].toLowerCase() ?? "";
  const bytes = prefix.includes("b") ? "b" : "";
  const isEmpty = token.text.slice(prefix.length).replaceAll(/["'`]/g, "") === "";
  return { text: isEmpty ? `${bytes}"l2mac"` : `${bytes}""`, probe };
}

/** It names a part of the interface. */
const isKey = (before: Token | undefined, after: Token | undefined): boolean =>
  after?.text === ":" && /^[{,]$/.test(before?.text ?? "");
