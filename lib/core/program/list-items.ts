/** The lists in a text, as trees of items. Code blocks are not read; a list with a single item is none, unless it has a label. Pure. */
import { indentOf, type ListMark, readMark } from "./list-mark.ts";

export interface ListItem {
  mark: ListMark;
  line: number;
  /** The item's first line and what continues it. */
  lines: string[];
  children: ListItem[];
  /** The heading of the section that it is in, and the line that introduces its list; empty where there is none. */
  under: readonly [heading: string, intro: string];
}

interface ReaderState {
  lists: ListItem[][];
  /** The items that indented text may belong to, outermost first. */
  open: ListItem[];
  /** The latest item of each number, under which `2.3` finds its `2`. Only those whose depth their number shows. */
  numbered: Map<string, ListItem>;
  /** The list that the latest top-level item is in. */
  list: ListItem[];
  /** The top level's latest number: its list may go on after a heading or a paragraph. */
  lastNumber: { path: number[]; list: ListItem[] } | undefined;
  gap: boolean;
  fence: string;
  under: ListItem["under"];
}

/** Deeper items count as items of this depth. */
const MAX_DEPTH = 5;

export const readLists = (text: string): ListItem[] => realLists(listsIn(text));

/** Those of lists with a single item too. */
export const readItems = (text: string): ListItem[] => listsIn(text).flat();

function listsIn(text: string): ListItem[][] {
  const reading: ReaderState = {
    lists: [],
    open: [],
    numbered: new Map(),
    list: [],
    lastNumber: undefined,
    gap: false,
    fence: "",
    under: ["", ""],
  };
  text.split(/\r\n|\r|\n/).forEach((line, index) => {
    if (insideCode(reading, line)) return;
    if (line.trim() === "") {
      reading.gap = true;
      return;
    }
    const mark = readMark(line);
    const { under } = reading;
    if (mark) place(reading, { mark, line: index + 1, lines: [mark.text], children: [], under });
    else goOn(reading, line);
    reading.gap = false;
  });
  return reading.lists;
}

function insideCode(reading: ReaderState, line: string): boolean {
  const fence = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
  if (!reading.fence) {
    reading.fence = fence;
    return fence !== "";
  }
  if (fence.startsWith(reading.fence) && line.trim() === fence) reading.fence = "";
  return true;
}

function place(reading: ReaderState, item: ListItem): void {
  const { open, numbered } = reading;
  const { kind, path, indent } = item.mark;
  const closed = open.findIndex((outer, depth) => depth === MAX_DEPTH - 1 || outer.mark.indent + 2 > indent);
  const before = closed < 0 ? undefined : open[closed];
  if (closed >= 0) open.length = closed;
  const byNumber = kind === "number" && path.length > 1 ? numbered.get(path.slice(0, -1).join(".")) : undefined;
  const parent = byNumber ?? open.at(-1);
  if (parent) parent.children.push(item);
  else addToList(reading, item, before);
  if (kind === "number" && (byNumber || !parent)) numbered.set(path.join("."), item);
  open.push(item);
}

function addToList(reading: ReaderState, item: ListItem, before: ListItem | undefined): void {
  const { lastNumber } = reading;
  const { kind, path } = item.mark;
  if (kind === "number" && lastNumber && isNext(lastNumber.path, path)) reading.list = lastNumber.list;
  else if (before?.mark.kind !== kind) {
    reading.list = [];
    reading.lists.push(reading.list);
  }
  reading.list.push(item);
  if (kind === "number") reading.lastNumber = { path, list: reading.list };
}

const isNext = (path: number[], next: number[]): boolean =>
  path.length === next.length && path.every((part, i) => next[i] === (i === path.length - 1 ? part + 1 : part));

/** A heading, a rule, a table, or a line that introduces the next list. */
const ENDS_LIST = /^(?:#|\||[-*_]{3,}$)|:$/;

/** A line that begins no item goes on with one, or ends the list. */
function goOn(reading: ReaderState, line: string): void {
  const { open } = reading;
  const indent = indentOf(line);
  const owner = open.findLast((item) => item.mark.indent < indent);
  const runsOn = !reading.gap && !ENDS_LIST.test(line.trim()) ? open.at(-1) : undefined;
  const item = owner ?? runsOn;
  if (item) item.lines.push(line.trim());
  else {
    open.length = 0;
    reading.under = underAfter(reading.under, line.trim());
  }
}

/** A line between lists: a heading begins a section, and every other line may introduce the next list. */
function underAfter([heading]: ListItem["under"], line: string): ListItem["under"] {
  const title = /^#{1,6}\s+(\S[\s\S]*)$/.exec(line)?.[1];
  return title === undefined ? [heading, line] : [title, ""];
}

/** Drops what only looks like a list: a dash or a number alone. A label says of itself that it is a requirement. */
function realLists(lists: ListItem[][]): ListItem[] {
  const roots = lists.flat();
  for (const root of roots) foldLoneChild(root);
  const real = (list: ListItem[], { children, mark }: ListItem): boolean =>
    list.length > 1 || children.length > 0 || mark.kind === "label";
  return lists.flatMap((list) => list.filter((item) => real(list, item))).sort((a, b) => a.line - b.line);
}

function foldLoneChild(item: ListItem): void {
  for (const child of item.children) foldLoneChild(child);
  const [only, ...others] = item.children;
  if (!only || others.length > 0 || only.children.length > 0) return;
  // `2.1` and `R2.1` say of themselves that they are parts.
  if (only.mark.kind === "label" || only.mark.path.length > 1) return;
  item.lines.push(...only.lines);
  item.children = [];
}
