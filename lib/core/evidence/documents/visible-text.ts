/** What a reader sees of Markdown: without comments, hidden elements, tags, definitions and addresses of links. Pure. */
import { codeSpans } from "./code-spans.ts";

/** Lines stay lines. Code is seen as it is written. */
export function visibleText(text: string): string {
  return withoutDefinitions(withoutMarkup(withoutFrontMatter(text.replace(/\r\n?/g, "\n"))));
}

/** Of it, only the ends of lines. */
const hidden = (text: string): string => text.replace(/[^\n]+/g, "");

function withoutFrontMatter(text: string): string {
  const [fence] = /^(?:---|\+\+\+)(?=[ \t]*\n)/.exec(text) ?? [];
  const end = fence === undefined ? -1 : text.indexOf(`\n${fence}`, fence.length);
  return end < 0 ? text : hidden(text.slice(0, end + 4)) + text.slice(end + 4);
}

interface Piece {
  /** Where what follows begins. */
  end: number;
  shown: string;
}

function withoutMarkup(text: string): string {
  const spans = codeSpans(text);
  let shown = "";
  let at = 0;
  while (at < text.length) {
    const piece = pieceAt(text, at, spans);
    shown += piece.shown;
    at = Math.max(piece.end, at + 1);
  }
  return shown;
}

const PLAIN = /[^\\`<\]]+/y;

function pieceAt(text: string, at: number, spans: ReadonlyMap<number, number>): Piece {
  const upTo = (end: number): Piece => ({ end, shown: text.slice(at, end) });
  const over = (end: number, kept = ""): Piece => ({ end, shown: kept + hidden(text.slice(at, end)) });
  const code = spans.get(at);
  if (code !== undefined) return upTo(code);
  if (text[at] === "\\") return upTo(at + 2);
  if (text[at] === "]" && text[at + 1] === "(") {
    const end = endOfTarget(text, at + 1);
    return end === undefined ? upTo(at + 1) : over(end, "]");
  }
  if (text[at] === "<") {
    const end = endOfHidden(text, at);
    return end === undefined ? upTo(at + 1) : over(end);
  }
  PLAIN.lastIndex = at;
  return upTo(at + (PLAIN.exec(text)?.[0].length ?? 1));
}

/** Of `(address "title")`, from its parenthesis. */
function endOfTarget(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === "\n" && /^[ \t]*\n/.test(text.slice(at + 1, at + 100))) return undefined;
    if (sign === "\\") at += 1;
    else if (sign === '"' || sign === "<") {
      const end = text.indexOf(sign === "<" ? ">" : sign, at + 1);
      if (end > 0 && end - at < TARGET_CHARS) at = end;
    } else if (sign === "(") depth += 1;
    else if (sign === ")") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    if (at - from > TARGET_CHARS) return undefined;
  }
  return undefined;
}

const TARGET_CHARS = 2_000;

/** Of a comment, a tag, or an element that is not shown. */
function endOfHidden(text: string, at: number): number | undefined {
  const close = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : undefined;
  if (close !== undefined) {
    const end = text.indexOf(close, at + 2);
    return end < 0 ? text.length : end + close.length;
  }
  const end = endOfTag(text, at);
  if (end === undefined) return undefined;
  const tag = text.slice(at, end);
  const name = /^<([a-z][\w-]*)/i.exec(tag)?.[1]?.toLowerCase();
  return name === undefined || !isHiding(name, tag) ? end : endOfElement(text, end, name);
}

/** `<https://example.com>` is seen. */
const ADDRESS = /(?:https?|mailto):[^\s<>]*>/y;

/** Signs of a quoted value end no tag. */
function endOfTag(text: string, from: number): number | undefined {
  if (!/[a-z/!]/i.test(text[from + 1] ?? "")) return undefined;
  ADDRESS.lastIndex = from + 1;
  if (ADDRESS.test(text)) return undefined;
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === ">") return at + 1;
    if (sign === "<") return undefined;
    if ((sign === '"' || sign === "'") && text[at - 1] === "=") {
      const end = text.indexOf(sign, at + 1);
      if (end < 0) return undefined;
      at = end;
    }
  }
  return undefined;
}

const NEVER_SHOWN = ["template", "script", "style", "title", "head", "noscript", "textarea"];
const VOID = ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

function isHiding(name: string, tag: string): boolean {
  if (VOID.includes(name)) return false;
  const isUnseen = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])/i.test(tag);
  return NEVER_SHOWN.includes(name) || isUnseen || /\shidden(?=[\s=/>])/i.test(tag);
}

/** One that is not closed hides the rest. */
function endOfElement(text: string, from: number, name: string): number {
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])`, "gi");
  tags.lastIndex = from;
  for (let depth = 1, tag = tags.exec(text); tag; tag = tags.exec(text)) {
    depth += tag[1] === "/" ? -1 : 1;
    if (depth > 0) continue;
    const end = text.indexOf(">", tag.index);
    return end < 0 ? text.length : end + 1;
  }
  return text.length;
}

/** `[name]: address "title"`, whose parts may be on lines of their own. A footnote is seen. */
const DEFINITION = /^[\s>*+-]*\[(?!\^)[^\]]{1,999}\]:(.*)$/;
const TITLE = /^[\s>]*["'(]/;
const ENDS_TITLE = /["')]\s*$/;

/** What may follow in the next line. */
type Expected = "address" | "title" | "rest of title" | undefined;

function withoutDefinitions(text: string): string {
  let expected: Expected;
  return text
    .split("\n")
    .map((line) => {
      const rest = DEFINITION.exec(line)?.[1];
      if (rest !== undefined) expected = rest.trim() === "" ? "address" : afterAddress(rest);
      else if (line.trim() === "") expected = undefined;
      else if (expected === "address") expected = afterAddress(line);
      else if (expected === "rest of title" || (expected === "title" && TITLE.test(line)))
        expected = ENDS_TITLE.test(line) ? undefined : "rest of title";
      else {
        expected = undefined;
        return line;
      }
      return "";
    })
    .join("\n");
}

function afterAddress(text: string): Expected {
  if (!/\s["'(]/.test(text.trim())) return "title";
  return ENDS_TITLE.test(text) ? undefined : "rest of title";
}
