/** Where a part of a JSON text is. The text is known to be JSON; one pass over it, without recursion. Pure. */
import type { Path, Position } from "../../core/program/language/finding.ts";

/** A field begins at its name. What is not there is where the part around it begins. */
export function placeInJson(text: string, path: Path): Position {
  let value = skipSpace(text, 0);
  let found = value;
  for (const part of path) {
    const inner = text[value] === "[" ? elementAt(text, value, part) : fieldAt(text, value, part);
    if (!inner) break;
    ({ value, found } = inner);
  }
  const before = text.slice(0, found);
  return { line: before.split("\n").length, column: found - before.lastIndexOf("\n") };
}

interface Part {
  value: number;
  found: number;
}

function elementAt(text: string, list: number, index: string | number): Part | undefined {
  let at = skipSpace(text, list + 1);
  for (let count = 0; text[at] !== "]"; count += 1) {
    if (count === index) return { value: at, found: at };
    at = nextPart(text, skipValue(text, at));
  }
  return undefined;
}

/** The last one counts, as in `JSON.parse`. */
function fieldAt(text: string, object: number, name: string | number): Part | undefined {
  if (text[object] !== "{") return undefined;
  let last: Part | undefined;
  for (let at = skipSpace(text, object + 1); text[at] !== "}"; ) {
    const end = skipValue(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === String(name)) last = { value, found: at };
    at = nextPart(text, skipValue(text, value));
  }
  return last;
}

function nextPart(text: string, after: number): number {
  const at = skipSpace(text, after);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] ?? "")) at += 1;
  return at;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const character = text[at] ?? "";
    if (character === '"') at = skipString(text, at);
    else {
      if ("[{".includes(character)) depth += 1;
      else if ("]}".includes(character)) depth -= 1;
      at += 1;
      // A number or a word, as long as it goes on.
      if (depth === 0 && !"]}".includes(character)) while (/[\w.+-]/.test(text[at] ?? "")) at += 1;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
