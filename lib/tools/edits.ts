/** Replaces passages of a text, each found exactly once. All of them or none. Pure. */
import { fenced } from "../core/text/cut.ts";
import { nearestLines } from "./nearest-lines.ts";

export interface Edit {
  find: string;
  replace: string;
}

export function applyEdits(text: string, edits: Edit[]): { text: string } | { problem: string } {
  let edited = text;
  for (const [index, edit] of edits.entries()) {
    const applied = applyEdit(edited, edit);
    if ("problem" in applied)
      return { problem: `edits[${index}]: ${applied.problem}${index > 0 ? AFTER_EARLIER : ""}` };
    edited = applied.text;
  }
  return { text: edited };
}

const AFTER_EARLIER = "\n(The edits before it in this call were taken as made.)";

function applyEdit(text: string, { find, replace }: Edit): { text: string } | { problem: string } {
  if (find === replace) return { problem: "`find` and `replace` are the same." };
  const newline = newlineOf(text);
  // The exact text comes first; line ends are translated only where it is not there.
  for (const [wanted, style] of [
    [find, newline],
    [toCrlf(find), "\r\n"],
    [toLf(find), "\n"],
  ] as const) {
    const places = placesOf(text, wanted);
    if (places.length > 1) return { problem: severalMatches(text, places) };
    const [at] = places;
    if (at !== undefined)
      return { text: text.slice(0, at) + inStyle(replace, newline ?? style) + text.slice(at + wanted.length) };
  }
  return { problem: noMatch(text, find) };
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
  return `\`find\` matches ${count} (lines ${lines.join(", ")}${rest}). Take in more of the lines around it, until it matches once.`;
}

function noMatch(text: string, find: string): string {
  const near = nearestLines(text, find);
  if (!near) return "`find` is not in the file. Read it with read_files and copy the passage exactly.";
  const place =
    near.lines.length === 1 ? `Line ${near.from}` : `Lines ${near.from}–${near.from + near.lines.length - 1}`;
  const how = near.onlySpace ? "differ from it only in white space" : "come nearest";
  return `\`find\` is not in the file. ${place} ${how}; copy them exactly:\n${fenced(near.lines.join("\n"))}`;
}
