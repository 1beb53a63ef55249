/** Long texts made short, with a mark that says how much is missing. Pure. */
import { sanitize } from "./sanitize.ts";

/** The beginning and the end of a text: errors stand at either. The answer is never longer than `chars`. */
export function headAndTail(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const room = chars - leftOut(text.length).length;
  if (room <= 0) return wholeCharacters(text.slice(0, Math.max(0, chars)));
  const head = wholeCharacters(text.slice(0, Math.ceil(room / 2)));
  const tail = wholeTail(text.slice(text.length - Math.floor(room / 2)));
  return `${head}${leftOut(text.length - head.length - tail.length)}${tail}`;
}

/** The mark in place of what is left out. */
export const leftOut = (count: number, unit = "characters"): string => `\n[… ${count} ${unit} left out …]\n`;

/** The beginning of a line, and how much of it is missing. */
export function cutLine(line: string, chars: number): string {
  if (line.length <= chars) return line;
  const head = wholeCharacters(line.slice(0, Math.max(0, chars)));
  return `${head} [… ${line.length - head.length} more characters in this line]`;
}

/** The beginning of a line, where how much is missing does not matter. */
export const ellipsis = (line: string, chars: number): string =>
  line.length <= chars ? line : `${wholeCharacters(line.slice(0, Math.max(0, chars - 1)))}…`;

/** How many of the lines, from the first on, fit into a number of characters. One at least, so that reading goes on. */
export function countFitting(lines: string[], chars: number): number {
  let used = 0;
  const tooMany = lines.findIndex((line) => {
    used += line.length + 1;
    return used > chars;
  });
  return tooMany === -1 ? lines.length : Math.max(1, tooMany);
}

/** One line of at most about `chars` characters, whatever comes in. */
export const oneLine = (text: string, chars: number): string =>
  cutLine(sanitize(text).replace(/\s+/g, " ").trim(), chars);

/** Between fences that the text itself cannot close. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** Half of a surrogate pair at the cut is dropped. */
const wholeCharacters = (head: string): string => (/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head);
const wholeTail = (tail: string): string => (/^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail);
