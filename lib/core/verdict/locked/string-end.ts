/** Where a string ends, with the code in its holes. Pure, and without recursion: texts may nest as deep as they like. */
import type { Language } from "./token.ts";

interface Shape {
  quote: string;
  /** It may go on over lines. */
  long: boolean;
  raw: boolean;
  /** What opens code within the string. */
  hole: "${" | "{" | "";
  /** Where its content begins. */
  from: number;
}

type Frame = { string: Shape } | { depth: number } | "format";

/** Undefined: no string begins here. `broken`: it does not end in its line, and should. */
export function endOfString(text: string, start: number, language: Language): number | "broken" | undefined {
  const shape = shapeAt(text, start, language);
  if (!shape) return undefined;
  const frames: Frame[] = [{ string: shape }];
  let at = shape.from;
  while (at < text.length) {
    if (text[at] === "\n" && !shape.long) return "broken";
    at = stepped(text, at, { frames, language });
    if (frames.length === 0) return at;
  }
  return shape.long ? text.length : "broken";
}

interface Scan {
  frames: Frame[];
  language: Language;
}

function stepped(text: string, at: number, scan: Scan): number {
  const top = scan.frames.at(-1);
  if (top === undefined) return at;
  if (top === "format") return inFormat(text, at, scan);
  return "string" in top
    ? inString(text, at, { ...scan, shape: top.string })
    : inHole(text, at, { ...scan, hole: top });
}

function inString(text: string, at: number, { frames, shape }: Scan & { shape: Shape }): number {
  if (text.startsWith(shape.quote, at)) {
    frames.pop();
    return at + shape.quote.length;
  }
  if (text[at] === "\n" && !shape.long) frames.pop(); // Of a string within a hole: it was only a mark.
  if (text[at] === "\\" && !shape.raw) return at + 2;
  if (shape.hole === "{" && text.startsWith("{{", at)) return at + 2;
  if (shape.hole === "" || !text.startsWith(shape.hole, at)) return at + 1;
  frames.push({ depth: 0 });
  return at + shape.hole.length;
}

function inHole(text: string, at: number, { frames, language, hole }: Scan & { hole: { depth: number } }): number {
  const mark = text.charAt(at);
  if (hole.depth === 0 && mark === "}") {
    frames.pop();
    return at + 1;
  }
  if (hole.depth === 0 && mark === ":" && language === "python" && text[at + 1] !== "=") frames.push("format");
  if ("([{".includes(mark)) hole.depth += 1;
  if (")]}".includes(mark)) hole.depth -= 1;
  const inner = /\w/.test(text.charAt(at - 1)) ? undefined : shapeAt(text, at, language);
  if (!inner) return at + 1;
  frames.push({ string: inner });
  return inner.from;
}

/** What follows the colon of a hole is no code, and ends with the hole. */
function inFormat(text: string, at: number, { frames }: Scan): number {
  if (text[at] === "{") frames.push({ depth: 0 });
  else if (text[at] === "}") frames.splice(-2);
  return at + 1;
}

function shapeAt(text: string, start: number, language: Language): Shape | undefined {
  if (language === "python") return pythonShape(text, start);
  const quote = text.charAt(start);
  if (quote === "`") {
    const raw = language === "go";
    return { quote, long: true, raw, hole: raw ? "" : "${", from: start + 1 };
  }
  return quote === '"' || quote === "'" ? { quote, long: false, raw: false, hole: "", from: start + 1 } : undefined;
}

const PREFIX = /[rbuft]{0,2}(?=["'])/iy;

function pythonShape(text: string, start: number): Shape | undefined {
  PREFIX.lastIndex = start;
  const prefix = PREFIX.exec(text)?.[0];
  if (prefix === undefined) return undefined;
  const open = start + prefix.length;
  const long = text.startsWith('"""', open) || text.startsWith("'''", open);
  const quote = text.slice(open, open + (long ? 3 : 1));
  // A backslash keeps the quote after it from ending a raw string, too.
  return { quote, long, raw: false, hole: /[ft]/i.test(prefix) ? "{" : "", from: open + quote.length };
}

/** Of a pattern in JavaScript; undefined where it does not end in its line. */
export function endOfRegex(text: string, start: number): number | undefined {
  let inSet = false;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at += 1) {
    const mark = text[at];
    if (mark === "\\") at += 1;
    else if (mark === "[") inSet = true;
    else if (mark === "]") inSet = false;
    else if (mark === "/" && !inSet) {
      while (/[a-z]/.test(text.charAt(at + 1))) at += 1;
      return at + 1;
    }
  }
  return undefined;
}
