/** JSON objects as models write them: fenced, amid prose, with a comma or a line break too many. Pure. */

export type JsonObject = { [key: string]: unknown };

/** Hostile text may open thousands of braces: so many are looked at, each once. */
const MOST_CANDIDATES = 32;

/** The objects of a text, in order. What is cut off is not completed: half a file must never look like a whole one. */
export function* objectsIn(text: string): Generator<JsonObject> {
  const whole = parseObject(text);
  if (whole) {
    yield whole;
    return;
  }
  let start = text.indexOf("{");
  for (let looked = 0; start >= 0 && looked < MOST_CANDIDATES; looked++) {
    const end = endOfObject(text, start);
    const found = end < 0 ? undefined : parseMended(text.slice(start, end));
    if (found) yield found;
    start = text.indexOf("{", end < 0 ? start + 1 : end);
  }
}

/** The JSON object that a text is, or undefined. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where the object that begins at `start` ends, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = endOfString(text, at);
    } else if (char === "{") {
      depth++;
    } else if (char === "}" && --depth === 0) {
      return at + 1;
    }
  }
  return -1;
}

/** The index of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

const parseMended = (text: string): JsonObject | undefined => parseObject(text) ?? parseObject(mended(text));

/** Drops trailing commas, and escapes in strings what JSON does not allow there. */
function mended(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      const end = endOfString(text, at) + 1;
      parts.push(mendedString(text.slice(at, end)));
      at = end;
    } else {
      const next = text.indexOf('"', at);
      const end = next < 0 ? text.length : next;
      parts.push(text.slice(at, end).replace(/,(\s*[}\]])/g, "$1"));
      at = end;
    }
  }
  return parts.join("");
}

const mendedString = (text: string): string =>
  text
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\'|\\/g, (found) =>
      found === "\\" ? "\\\\" : found === "\\'" ? "'" : found,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: raw control characters are what is mended here
    .replace(/[\u0000-\u001f]/g, (control) => JSON.stringify(control).slice(1, -1));
