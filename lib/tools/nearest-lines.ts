/** Where in a file the passage may stand that a model wanted to replace and did not hit. Cost is bounded. Pure. */
import { cutLine } from "../core/text/cut.ts";
import { splitLines } from "../core/text/file-text.ts";
import { likeness } from "../core/text/likeness.ts";

export interface NearLines {
  /** The number of the first line. */
  from: number;
  lines: string[];
  onlySpace: boolean;
}

/** Takes the passage's longest line as its mark, and shows the lines around the one that resembles it most. */
export function nearestLines(text: string, find: string): NearLines | undefined {
  const lines = splitLines(text);
  const wanted = splitLines(find);
  const mark = longestOf(wanted);
  const starts = bestLines(lines, squeezed(wanted[mark] ?? "")).map((line) => Math.max(0, line - mark));
  const passage = spaceless(find);
  const exact = starts.find((start) => spaceless(lines.slice(start, start + wanted.length).join("")) === passage);
  const start = exact ?? starts[0];
  if (start === undefined) return undefined;

  const shown = lines.slice(start, start + Math.min(wanted.length, LINES_SHOWN));
  return {
    from: start + 1,
    lines: shown.map((line) => cutLine(line.replace(/\r$/, ""), SHOWN_CHARS)),
    onlySpace: exact !== undefined,
  };
}

/** Lines beyond are not looked at, and of each only its beginning. */
const LINES_SEARCHED = 20_000;
const COMPARED_CHARS = 160;
/** So many equally good lines are looked at more closely. */
const CANDIDATES = 20;
const LINES_SHOWN = 12;
const SHOWN_CHARS = 300;
/** Below this a line leads astray. */
const WORTH_SHOWING = 0.5;

const longestOf = (lines: string[]): number =>
  lines.reduce((best, line, index) => (line.trim().length > (lines[best] ?? "").trim().length ? index : best), 0);

/** The lines that resemble the wanted one most, all equally well. */
function bestLines(lines: string[], wanted: string): number[] {
  let [best, bestScore]: [number[], number] = [[], WORTH_SHOWING];
  for (const [index, line] of lines.slice(0, LINES_SEARCHED).entries()) {
    const score = likeness(squeezed(line), wanted);
    if (score > bestScore) [best, bestScore] = [[index], score];
    else if (score === bestScore && best.length > 0 && best.length < CANDIDATES) best.push(index);
  }
  return best;
}

const squeezed = (line: string): string =>
  line
    .trim()
    .slice(0, 2 * COMPARED_CHARS)
    .replace(/\s+/g, " ")
    .slice(0, COMPARED_CHARS);

const spaceless = (text: string): string => text.replace(/\s+/g, "");
