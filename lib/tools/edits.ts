/** Replaces passages of a text: each is found exactly once, or all its matches are replaced. All edits or none. Pure. */
import { fenced } from "../core/text/cut.ts";
import { nearestLines } from "./nearest-lines.ts";
import { onlySpanBut } from "./trailing-space.ts";

export interface Edit {
  find: string;
  replace: string;
  /** Every match, instead of the only one. */
  all?: boolean | undefined;
}

/** `places`: how many passages were replaced. */
export type Edited = { text: string; places: number } | { problem: string };

export function applyEdits(text: string, edits: Edit[]): Edited {
  let [edited, places] = [text, 0];
  for (const [index, edit] of edits.entries()) {
    const applied = applyEdit(edited, edit);
    if ("problem" in applied)
      return { problem: `edits[${index}]: ${applied.problem}${index > 0 ? AFTER_EARLIER : ""}` };
    edited = applied.text;
    places += applied.places;
  }
  return { text: edited, places };
}

const AFTER_EARLIER = "\n(The edits before it in this call were taken as made.)";

function applyEdit(text: string, { find, replace, all }: Edit): Edited {
  if (find === replace) return { problem: "`find` and `replace` are the same." };
  const newline = newlineOf(text);
  // The exact text comes first; line ends are translated only where it is not there.
  for (const [wanted, style] of [
    [find, newline],
    [toCrlf(find), "\r\n"],
    [toLf(find), "\n"],
  ] as const) {
    const places = placesOf(text, wanted);
    if (places.length > 1 && !all) return { problem: severalMatches(text, places) };
    if (places.length > 0) return replaceAll(text, wanted, inStyle(replace, newline ?? style));
  }
  const span = onlySpanBut(text, toLf(find));
  if (!span) return { problem: noMatch(text, find) };
  return { text: text.slice(0, span.from) + inStyle(replace, newline) + text.slice(span.to), places: 1 };
}

/** A few calls could ask for more than memory holds. */
const EDITED_CHARS = 16 * 1024 * 1024;

/** From left to right; matches that overlap one that was replaced stay. */
function replaceAll(text: string, wanted: string, replacement: string): Edited {
  const parts = text.split(wanted);
  const places = parts.length - 1;
  const chars = text.length + places * (replacement.length - wanted.length);
  return chars > EDITED_CHARS
    ? { problem: `With ${places} replacements the file would have ${chars} characters; at most ${EDITED_CHARS} fit.` }
    : { text: parts.join(replacement), places };
}

const toLf = (text: string): string => text.replaceAll("\r\n", "\n");
const toCrlf = (text: string): string => toLf(text).replaceAll("\n", "\r\n");

const inStyle = (text: string, newline: string | undefined): string => {
  if (newline === undefined) return text;
  return newline === "\r\n" ? toCrlf(text) : toLf(text);
};

/** How the lines of a text end, where all end alike. */
export function newlineOf(text: string): "\n" | "\r\n" | undefined {
  const crlf = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  if (all === 0) return undefined;
  if (crlf === 0) return "\n";
  return crlf === all ? "\r\n" : undefined;
}

/** Where a text stands in another, overlapping places too: either could be meant. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && places.length < PLACES; at = text.indexOf(wanted, at + 1))
    places.push(at);
  return places;
}

const PLACES = 100;
const LINES_NAMED = 10;

function severalMatches(text: string, places: number[]): string {
  const count = places.length === PLACES ? `${PLACES} times or more` : `${places.length} times`;
  const lines = places.slice(0, LINES_NAMED).map((at) => text.slice(0, at).split("\n").length);
  const rest = places.length > LINES_NAMED ? ", …" : "";
  return `\`find\` matches ${count} (lines ${lines.join(", ")}${rest}). Take in more of the lines around it, until it matches once, or set \`all\` to replace every match.`;
}

function noMatch(text: string, find: string): string {
  const near = nearestLines(text, find);
  if (!near) return "`find` is not in the file. Read it with read_files and copy the passage exactly.";
  const place =
    near.lines.length === 1 ? `Line ${near.from}` : `Lines ${near.from}–${near.from + near.lines.length - 1}`;
  const how = near.onlySpace ? "differ from it only in white space" : "come nearest";
  return `\`find\` is not in the file. ${place} ${how}; copy them exactly:\n${fenced(near.lines.join("\n"))}`;
}
