/** Finds the version of a text that each of its lines comes from. Pure. */
import { compareLines } from "./line-difference.ts";

export interface TextVersion<Origin> {
  text: string;
  origin: Origin;
}

export interface BlamedLine<Origin> {
  text: string;
  origin: Origin;
}

/** Oldest version first. A text that returns to an earlier version has the origins that it had there. */
export function blameLines<Origin>(versions: readonly TextVersion<Origin>[]): BlamedLine<Origin>[] {
  const known = new Map<string, BlamedLine<Origin>[]>();
  let lines: BlamedLine<Origin>[] = [];
  for (const { text, origin } of versions) {
    lines = known.get(text) ?? nextLines(lines, linesOf(text), origin);
    known.set(text, lines);
  }
  return lines;
}

function nextLines<Origin>(before: BlamedLine<Origin>[], after: string[], origin: Origin): BlamedLine<Origin>[] {
  const old = before.values();
  return compareLines(
    before.map(({ text }) => text),
    after,
  ).flatMap(({ mark, text }) => {
    const kept = mark === "+" ? undefined : old.next().value;
    if (mark === "-") return [];
    return [kept ?? { text, origin }];
  });
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
