/** The items with a checkbox of a Markdown file, as trees, with the sections that they are in. Pure. */
import { indentOf } from "../../core/program/list-mark.ts";

export interface CheckboxItem {
  line: number;
  isDone: boolean;
  /** Behind the checkbox, with the lines that go on with it. */
  text: string;
  /** What is indented under it and has no checkbox. */
  details: string[];
  children: CheckboxItem[];
  /** Headings, outermost first; the title of the file is none. */
  sections: string[];
}

interface OpenItem extends CheckboxItem {
  indent: number;
}

const CHECKBOX = /^[ \t]*[-*+][ \t]+\[([ xX~-])\][ \t]+(\S.*)$/;
const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
/** Marks that close a heading. */
const CLOSING = /(?<![ \t#])[ \t#]+$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
/** A comment that begins in a line of text hides nothing. */
const COMMENT = /^[ \t]*<!--/;

export function readCheckboxes(text: string): CheckboxItem[] {
  const roots: OpenItem[] = [];
  let open: OpenItem[] = [];
  let sections: { level: number; title: string }[] = [];
  let fence = "";
  let inComment = false;
  let gap = false;
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    const isCode = fence !== "" || mark !== "";
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    if (!isCode && COMMENT.test(line)) inComment = true;
    const isHidden = inComment;
    if (inComment && line.includes("-->")) inComment = false;
    if (isHidden) continue;
    const box = isCode ? null : CHECKBOX.exec(line);
    const heading = isCode || indentOf(line) > 0 ? null : HEADING.exec(line);
    if (box) {
      const item = opened(box, {
        line: index + 1,
        indent: indentOf(line),
        sections: sections.map(({ title }) => title),
      });
      open = open.filter(({ indent }) => indent + 1 < item.indent);
      (open.at(-1)?.children ?? roots).push(item);
      open.push(item);
    } else if (heading) {
      const level = heading[1]?.length ?? 1;
      sections = sections.filter((section) => section.level < level);
      if (level > 1) sections.push({ level, title: (heading[2] ?? "").replace(CLOSING, "") });
      open = [];
    } else if (
      !isCode &&
      line.trim() !== "" &&
      indentOf(line) === 0 &&
      (gap || /^(?:[-*+_]|\d+[.)])(?:[ \t]|[-*_]+$)/.test(line))
    )
      open = [];
    else goOn(open, line, isCode || gap);
    gap = line.trim() === "";
  }
  return roots;
}

function opened(
  [, sign = " ", text = ""]: RegExpExecArray,
  at: { line: number; indent: number; sections: string[] },
): OpenItem {
  return { ...at, isDone: /x/i.test(sign), text: text.trim(), details: [], children: [] };
}

/** A line without indentation, or that begins no list, goes on with the item's first line. */
function goOn(open: OpenItem[], line: string, isApart: boolean): void {
  const item = open.findLast(({ indent }) => line.trim() === "" || indentOf(line) > indent) ?? open.at(-1);
  if (!item) return;
  const isDetail =
    isApart || item.details.length > 0 || line.trim() === "" || /^[ \t]*(?:[-*+•]|\d+[.)]|[_*|>#])/.test(line);
  if (isDetail || item.children.length > 0) item.details.push(line);
  else item.text += ` ${line.trim()}`;
}

/** Without the indentation that all lines have, and without blank lines around. */
export function dedent(lines: string[]): string {
  const widths = lines.filter((line) => line.trim() !== "").map(indentOf);
  const width = widths.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const own = lines.map((line) => (line.trim() === "" ? "" : line.replaceAll("\t", "    ").slice(width).trimEnd()));
  return own
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
