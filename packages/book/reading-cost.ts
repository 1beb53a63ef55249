/** What it costs to read a Markdown text. Readers of Markdown are quadratic, or recurse, on text made for it. */

/** Of text without a blank line. A novel's longest paragraph has about 15,000 characters. */
const BLOCK_CHARACTERS = 64_000;
/** Characters at which the library looks back, or far ahead, or into what they enclose. */
const MARKS = /[\n*_~!?.&[<]/g;
const BLOCK_MARKS = 3_000;
/** Quotations and lists inside one another, on one line. */
const NESTED = /^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t]))){20}/m;
/** Emphasis within emphasis within emphasis. A rule that is drawn across a line is shorter. */
const RUN = /[*_~]{100}/;

/** In characters that are looked at; infinite where no limit is known. A novel of 500 pages costs about ten million. */
export function readingCost(source: string): number {
  if (RUN.test(source) || NESTED.test(source)) return Number.POSITIVE_INFINITY;
  return source.split(/\n[ \t]*(?=\n)/).reduce((cost, block) => cost + blockCost(block), 0);
}

function blockCost(block: string): number {
  const marks = count(block, MARKS);
  if (block.length > BLOCK_CHARACTERS || marks > BLOCK_MARKS) return Number.POSITIVE_INFINITY;
  return block.length * (marks + 1) + cellsOf(block) * CELL_COST;
}

/** A table has as many cells in every row as in its widest: a short text can ask for millions. */
const CELL_COST = 2_000;

function cellsOf(block: string): number {
  if (!block.includes("|")) return 0;
  const lines = block.split("\n");
  return lines.length * Math.max(...lines.map((line) => count(line, /\|/g)));
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
