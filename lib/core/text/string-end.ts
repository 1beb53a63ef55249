/** Where a string ends, with the code in its holes. Pure, and without recursion: strings may nest to any depth. */
import type { SourceShape } from "./lex.ts";

interface Opening {
  quote: string;
  /** It may go on over lines. */
  long: boolean;
  raw: boolean;
  /** What opens code within the string. */
  hole: "${" | "{" | "";
  /** Where its content begins. */
  from: number;
}

type Frame = { string: Opening } | { depth: number } | "format";

/** Undefined: no string begins here. `broken`: it does not end in its line, and should. */
export function endOfString(text: string, start: number, source: SourceShape): number | "broken" | undefined {
  const shape = openingAt(text, start, source);
  if (!shape) return undefined;
  const frames: Frame[] = [{ string: shape }];
  let at = shape.from;
  while (at < text.length) {
    if (text[at] === "\n" && !shape.long) return "broken";
    at = stepped(text, at, { frames, source });
    if (frames.length === 0) return at;
  }
  return shape.long ? text.length : "broken";
}

interface Scan {
  frames: Frame[];
  source: SourceShape;
}

function stepped(text: string, at: number, scan: Scan): number {
  const top = scan.frames.at(-1);
  if (top === undefined) return at;
  if (top === "format") return inFormat(text, at, scan);
  return "string" in top
    ? inString(text, at, { ...scan, shape: top.string })
    : inHole(text, at, { ...scan, hole: top });
}

function inString(text: string, at: number, { frames, shape }: Scan & { shape: Opening }): number {
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

function inHole(text: string, at: number, { frames, source, hole }: Scan & { hole: { depth: number } }): number {
  const mark = text.charAt(at);
  if (hole.depth === 0 && mark === "}") {
    frames.pop();
    return at + 1;
  }
  if (hole.depth === 0 && mark === ":" && source.dialect === "python" && text[at + 1] !== "=") frames.push("format");
  if ("([{".includes(mark)) hole.depth += 1;
  if (")]}".includes(mark)) hole.depth -= 1;
  const inner = /\w/.test(text.charAt(at - 1)) ? undefined : openingAt(text, at, source);
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

const PREFIX = /[rbuft]{0,2}(?=["'])/iy;

function openingAt(text: string, start: number, { quotes, longQuotes, rawQuotes, dialect }: SourceShape) {
  PREFIX.lastIndex = start;
  const prefix = dialect === "python" ? (PREFIX.exec(text)?.[0] ?? "") : "";
  const open = start + prefix.length;
  const long = longQuotes.find((quote) => text.startsWith(quote, open));
  const quote = long ?? text.charAt(open);
  if (!long && (quote === "" || !quotes.includes(quote))) return undefined;
  const hole: Opening["hole"] =
    dialect === "javascript" && quote === "`" ? "${" : dialect === "python" && /[ft]/i.test(prefix) ? "{" : "";
  return { quote, long: long !== undefined, raw: rawQuotes?.includes(quote) ?? false, hole, from: open + quote.length };
}

/** Of a regular expression in JavaScript; undefined if it does not end in its line. */
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
