/** Reads JSON without recursion, whatever is nested how deeply, and says where it first goes wrong. Pure. */

export interface JsonStyle {
  /** Comments and commas after the last element, as tools allow them in their settings. */
  relaxed?: boolean;
}

export interface JsonProblem {
  offset: number;
  message: string;
}

interface Reading {
  text: string;
  at: number;
  relaxed: boolean;
  problem?: JsonProblem;
}

/** What may stand where the reader is. */
type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end";

export function firstProblem(text: string, { relaxed = false }: JsonStyle = {}): JsonProblem | undefined {
  const reading: Reading = { text, at: 0, relaxed };
  /** Where each open bracket stands. */
  const open: number[] = [];
  let expected: Expected = "value";
  for (;;) {
    skipSpace(reading);
    if (reading.problem) return reading.problem;
    if (expected === "comma or end" && open.length === 0) return endProblem(reading);
    if (reading.at >= text.length) return unfinished(text, open);
    const next = take(reading, expected, open);
    if (reading.problem || next === undefined) return reading.problem;
    expected = next;
  }
}

const endProblem = ({ text, at }: Reading): JsonProblem | undefined =>
  at < text.length ? { offset: at, message: `${shown(text, at)} stands after the end of the value` } : undefined;

function unfinished(text: string, open: number[]): JsonProblem {
  const last = open.at(-1);
  if (last === undefined)
    return { offset: text.length, message: text.trim() === "" ? "the file is empty" : "a value is missing" };
  return { offset: last, message: `this "${text[last]}" is never closed` };
}

/** Takes what stands here and answers what must follow it. */
function take(reading: Reading, expected: Expected, open: number[]): Expected | undefined {
  const char = reading.text[reading.at] ?? "";
  if (expected === "colon")
    return char === ":" ? step(reading, "value") : fail(reading, '":" is missing after the key');
  if (expected === "comma or end") return takeNext(reading, char, open);
  if (expected === "key" || expected === "key or }") return takeKey(reading, { char, expected, open });
  if (char === "]" && expected === "value or ]") return close(reading, open);
  if (char === "[" || char === "{") {
    open.push(reading.at);
    return step(reading, char === "[" ? "value or ]" : "key or }");
  }
  return takeScalar(reading, char);
}

function takeNext(reading: Reading, char: string, open: number[]): Expected | undefined {
  const inArray = reading.text[open.at(-1) ?? 0] === "[";
  if (char === ",") {
    step(reading, "value");
    if (reading.relaxed) return inArray ? "value or ]" : "key or }";
    return inArray ? "value" : "key";
  }
  if (char === (inArray ? "]" : "}")) return close(reading, open);
  return fail(reading, `"," or "${inArray ? "]" : "}"}" is missing before ${shown(reading.text, reading.at)}`);
}

function takeKey(
  reading: Reading,
  { char, expected, open }: { char: string; expected: Expected; open: number[] },
): Expected | undefined {
  if (char === '"') return takeString(reading) ? "colon" : undefined;
  if (char === "}" && expected === "key or }") return close(reading, open);
  if (char === "}") return fail(reading, 'a key is missing before this "}"');
  return fail(reading, `a key in double quotes is missing before ${shown(reading.text, reading.at)}`);
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** What may not run on from a number or a word. */
const MORE = /[\w.+-]/;

function takeScalar(reading: Reading, char: string): Expected | undefined {
  if (char === '"') return takeString(reading) ? "comma or end" : undefined;
  if (char === "]") return fail(reading, 'a value is missing before this "]"');
  const pattern = /[-\d]/.test(char) ? NUMBER : WORD;
  pattern.lastIndex = reading.at;
  const [found] = pattern.exec(reading.text) ?? [];
  if (found === undefined || MORE.test(reading.text[reading.at + found.length] ?? ""))
    return fail(reading, `${shown(reading.text, reading.at)} is no value`);
  reading.at += found.length;
  return "comma or end";
}

/** Character by character: a pattern would need room for each of them. */
function takeString(reading: Reading): boolean {
  const { text } = reading;
  for (let at = reading.at + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      reading.at = at + 1;
      return true;
    }
    if (code < SPACE)
      return failAt(
        reading,
        at,
        code === NEWLINE ? "a string runs beyond its line" : "a control character stands in a string",
      );
    if (code !== BACKSLASH) continue;
    if (!ESCAPE.test(text.slice(at, at + 6))) return failAt(reading, at, `${shown(text, at)} is no escape`);
    at += 1;
  }
  return failAt(reading, reading.at, "this string is never closed");
}

const QUOTE = 0x22;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/;

function skipSpace(reading: Reading): void {
  const { text } = reading;
  for (;;) {
    while (/[ \t\n\r]/.test(text[reading.at] ?? "")) reading.at += 1;
    if (text[reading.at] !== "/" || !reading.relaxed) return;
    const line = text.startsWith("//", reading.at);
    if (!line && !text.startsWith("/*", reading.at)) return;
    const end = text.indexOf(line ? "\n" : "*/", reading.at + 2);
    if (end === -1 && !line) reading.problem = { offset: reading.at, message: "this comment is never closed" };
    if (end === -1) reading.at = text.length;
    else reading.at = end + (line ? 1 : 2);
  }
}

function close(reading: Reading, open: number[]): Expected {
  open.pop();
  return step(reading, "comma or end");
}

function step(reading: Reading, next: Expected): Expected {
  reading.at += 1;
  return next;
}

function fail(reading: Reading, message: string): undefined {
  reading.problem = { offset: reading.at, message };
  return undefined;
}

function failAt(reading: Reading, offset: number, message: string): false {
  reading.problem = { offset, message };
  return false;
}

/** A comment where none may be says so; anything else is shown as far as it is one thing. */
function shown(text: string, at: number): string {
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return "a comment, which JSON does not have,";
  const [word = ""] = /^(?:[\w$.+-]{1,30}|.)/su.exec(text.slice(at, at + 30)) ?? [];
  return word === "" ? "the end" : `"${word}"`;
}
