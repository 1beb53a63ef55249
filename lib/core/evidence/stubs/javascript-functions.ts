/** Where the functions of a JavaScript file begin and end, by its tokens. Pure. What cannot be read is left as it is. */
import type { Token } from "../../text/lex.ts";

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Both ways: the closing bracket by the opening one, and the opening by the closing. */
export function bracketPairs(tokens: Token[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (text === "(" || text === "[" || text === "{") open.push(at);
    const start = open.at(-1);
    if (CLOSING[text] === undefined || start === undefined || tokens[start]?.text !== CLOSING[text]) continue;
    open.pop();
    pairs.set(at, start);
    pairs.set(start, at);
  }
  return pairs;
}

const CONTROL = /^(?:if|for|while|switch|catch|with|await|super|match|using|return)$/;
const STATEMENT =
  /^(?:interface|class|enum|namespace|module|declare|type|import|export|const|let|var|return|function)$/;
const LONGEST_TYPE = 60;
const TYPE_MARK = /^(?:[<>|&.,?]|=>)$/;

/** The function whose body opens at this brace: the bracket of its parameters, and its name. */
export function functionBefore(
  tokens: Token[],
  brace: number,
  pairs: Map<number, number>,
): { open: number; name: string } | undefined {
  const close = closingBefore(tokens, brace, pairs);
  const open = close === undefined ? undefined : pairs.get(close);
  if (open === undefined) return undefined;
  let at = open - 1;
  // Type parameters: `name<T>(`
  for (let left = LONGEST_TYPE; tokens[at]?.text === ">" && left > 0; left -= 1)
    while (at >= 0 && tokens[at]?.text !== "<") at -= 1;
  if (tokens[at]?.text === "<") at -= 1;
  const name = tokens[at];
  if (!name || CONTROL.test(name.text)) return undefined;
  // What a class extends may be called, and a call of a member is no function.
  if (/^(?:\.|\?\.|extends|new)$/.test(tokens[at - 1]?.text ?? "")) return undefined;
  const isNamed = name.kind === "word" || name.kind === "string" || name.text === "]" || name.text === "*";
  return isNamed ? { open, name: name.text } : undefined;
}

/** The bracket that closes the parameters: before the brace, or before the type that is returned. */
export function closingBefore(tokens: Token[], brace: number, pairs: Map<number, number>): number | undefined {
  if (tokens[brace - 1]?.text === ")") return brace - 1;
  // The brace of a type that goes on.
  if (tokens[brace - 1]?.kind === "mark" && !/^(?:>|\]|\})$/.test(tokens[brace - 1]?.text ?? "")) return undefined;
  for (let at = brace - 1; at > 0 && brace - at < LONGEST_TYPE; at -= 1) {
    const { kind, text } = tokens[at] ?? { kind: "mark", text: ";" };
    if (text === ":") return tokens[at - 1]?.text === ")" && at < brace - 1 ? at - 1 : undefined;
    if (kind === "word" && STATEMENT.test(text)) return undefined;
    if (kind === "mark" && CLOSING[text] !== undefined) at = pairs.get(at) ?? 0;
    else if (kind === "mark" && !TYPE_MARK.test(text)) return undefined;
  }
  return undefined;
}

/** Of those that are a plain name. */
export function parameterNames(tokens: Token[], open: number, pairs: Map<number, number>): string[] {
  const close = pairs.get(open) ?? open;
  const names: string[] = [];
  for (let at = open + 1; at < close; at += 1) {
    const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
    if (token?.kind === "word" && /^[(,]$/.test(before?.text ?? "") && /^[,):=?]$/.test(after?.text ?? ""))
      if (!/^(?:this|public|private|protected|readonly)$/.test(token.text)) names.push(token.text);
    // What is within brackets is no parameter by itself.
    const inner = token?.kind === "mark" ? pairs.get(at) : undefined;
    if (inner !== undefined && inner > at) at = inner;
  }
  return names;
}

/** The last token of an arrow's expression. */
export function expressionEnd(tokens: Token[], first: number, pairs: Map<number, number>): number | undefined {
  for (let at = first; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) break;
    const isEnd = token.kind === "mark" && /^[,;)\]}]$/.test(token.text);
    if (at > first && (isEnd || beginsStatement(token, tokens[at - 1]))) return at - 1;
    if (isEnd) return undefined;
    const inner = token.kind === "mark" ? pairs.get(at) : undefined;
    if (inner !== undefined && inner > at) at = inner;
  }
  return tokens.length > first ? tokens.length - 1 : undefined;
}

/** Where a semicolon was left out. */
const beginsStatement = (token: Token, before: Token | undefined): boolean =>
  token.first &&
  token.kind !== "mark" &&
  !/^(?:in|of|instanceof|as|satisfies)$/.test(token.text) &&
  (before?.kind !== "mark" || /^[)\]}]$/.test(before.text));

/** TypeScript: only an arrow that is assigned or passed is a function; others are types. */
export function startsType(tokens: Token[], start: number): boolean {
  let at = start - 1;
  if (tokens[at]?.text === "async") at -= 1;
  const before = tokens[at]?.text ?? "";
  if (before === "(") return /^(?:[:|&<]|=>)$/.test(tokens[at - 1]?.text ?? "");
  if (before === ",") return isInTypeArguments(tokens, at);
  if (!/^(?:=|return|default|\?\?|\|\|)$/.test(before)) return true;
  for (let back = at - 1; back >= 0 && at - back < LONGEST_TYPE; back -= 1) {
    const { text } = tokens[back] ?? { text: ";" };
    if (text === ";" || text === "}") return false;
    if (text === "type") return tokens[back]?.first === true || tokens[back - 1]?.text === "export";
  }
  return false;
}

/** `Map<string, () => void>` */
function isInTypeArguments(tokens: Token[], comma: number): boolean {
  for (let at = comma - 1; at >= 0 && comma - at < LONGEST_TYPE; at -= 1) {
    const { kind, text } = tokens[at] ?? { kind: "mark", text: ";" };
    if (text === "<") return true;
    if (kind === "mark" && /^[({;=>]$/.test(text)) return false;
  }
  return false;
}
