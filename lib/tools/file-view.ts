/** One file, or some of its lines, as a model reads it. Lines carry no numbers, so that passages can be copied exactly. Pure. */
import { countFitting, cutLine, fenced } from "../core/text/cut.ts";
import { decodeText, splitLines } from "../core/text/file-text.ts";
import { pluralize } from "../core/text/format.ts";
import { newlineOf } from "./edits.ts";

export interface LineRange {
  path: string;
  from: number;
  to: number;
}
export interface FileView extends LineRange {
  lines: string[];
  total: number;
  remarks: string[];
}

/** The lines asked for, or a sentence where there are none to show. */
export function viewOf({ path, from, to }: LineRange, bytes: Uint8Array): FileView | string {
  const text = decodeText(bytes);
  if (text === undefined) return `${path}: binary, ${bytes.length} bytes.`;
  const newline = newlineOf(text);
  const all = splitLines(newline === "\r\n" ? text.replaceAll("\r\n", "\n") : text);
  if (all.length === 0) return `${path}: empty.`;
  if (from > all.length) return `${path} has only ${pluralize(all.length, "line")}.`;
  if (to < from) return `${path}: to_line must not be before from_line.`;
  const last = Math.min(to, all.length);
  return {
    path,
    from,
    to: last,
    lines: all.slice(from - 1, last),
    total: all.length,
    remarks: remarksOf(text, newline),
  };
}

function remarksOf(text: string, newline: string | undefined): string[] {
  const remarks: string[] = [];
  if (newline === "\r\n") remarks.push("lines end in CRLF");
  if (text.startsWith("\ufeff")) remarks.push("begins with a byte order mark");
  if (!text.endsWith("\n")) remarks.push("no newline at the end");
  return remarks;
}

/** How many characters the view takes when nothing is left out. */
export const charsOf = ({ lines }: FileView): number =>
  lines.reduce((sum, line) => sum + line.length + 1, AROUND_CHARS);

/** Whole lines, as many as the room allows; a first line that is longer than the room is cut. */
export function shownView(view: FileView, chars: number): string {
  const room = Math.max(LINE_FLOOR, chars - AROUND_CHARS);
  const count = countFitting(view.lines, room);
  const lines = view.lines.slice(0, count).map((line) => cutLine(line, room));
  const last = view.from + count - 1;
  const more = last < view.to ? ` Lines ${last + 1}–${view.to} are left out: read on with from_line ${last + 1}.` : "";
  return `${headerOf(view, last)}\n${fenced(lines.join("\n"))}${more && `\n${more.trim()}`}`;
}

function headerOf({ path, from, total, remarks }: FileView, last: number): string {
  const range = from === 1 && last === total ? pluralize(total, "line") : `lines ${from}–${last} of ${total}`;
  return `${path} (${[range, ...remarks].join("; ")}):`;
}

/** Header, fences and what is said of lines left out. */
const AROUND_CHARS = 150;
const LINE_FLOOR = 80;
