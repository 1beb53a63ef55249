/** Breaks a paragraph into lines: of all ways, the one with the most even spaces. Pure. */
import type { Box } from "./boxes.ts";

export interface Measure {
  width: number;
  /** Of the first line, to the right. */
  indent: number;
  /** Lines may be shorter than the measure, and no space is stretched. */
  ragged: boolean;
}

export interface Line {
  boxes: Box[];
  /** Without stretching. */
  width: number;
  /** Of the paragraph, or before a break that the writer made: never stretched. */
  last: boolean;
}

/** How far spaces may shrink. */
const SHRINK = 0.15;

interface Way {
  cost: number;
  from: number;
}

/** No box may be wider than the measure. */
export function breakLines(boxes: Box[], measure: Measure): Line[] {
  const ways: (Way | undefined)[] = [{ cost: 0, from: 0 }];
  for (const from of boxes.keys()) {
    const before = ways[from];
    if (!before) continue;
    const target = measure.width - (from === 0 ? measure.indent : 0);
    let natural = 0;
    let spaces = 0;
    for (let to = from; to < boxes.length; to += 1) {
      const box = boxes[to];
      if (!box) break;
      natural += box.width;
      if (natural - (measure.ragged ? 0 : spaces * SHRINK) > target && to > from) break;
      const last = box.ends || to === boxes.length - 1;
      const cost = before.cost + costOf({ target, natural, spaces, last, ragged: measure.ragged });
      const known = ways[to + 1];
      if (!known || cost < known.cost) ways[to + 1] = { cost, from };
      if (box.ends) break;
      natural += box.space;
      spaces += box.space;
    }
  }
  return linesOf(boxes, ways);
}

interface Candidate {
  target: number;
  natural: number;
  /** The width of all spaces within it. */
  spaces: number;
  last: boolean;
  ragged: boolean;
}

/** For each line something, so that no more are made than needed. */
const LINE = 0.05;

function costOf({ target, natural, spaces, last, ragged }: Candidate): number {
  const free = target - natural;
  // A last line of one short word looks like a mistake.
  if (last && free >= 0) return LINE + (natural < target * 0.12 ? 0.4 : 0);
  if (ragged) return LINE + (free / target) ** 2;
  if (spaces === 0) return LINE + 4 + (free / target) * 20;
  return LINE + (free < 0 ? (free / spaces / SHRINK) ** 2 * 0.5 : (free / spaces) ** 2);
}

function linesOf(boxes: Box[], ways: (Way | undefined)[]): Line[] {
  const lines: Line[] = [];
  for (let to = boxes.length; to > 0; ) {
    const from = ways[to]?.from ?? to - 1;
    const row = boxes.slice(from, to);
    const width = row.reduce((sum, box, at) => sum + box.width + (at < row.length - 1 ? box.space : 0), 0);
    lines.push({ boxes: row, width, last: to === boxes.length || row.at(-1)?.ends === true });
    to = from;
  }
  return lines.reverse();
}
