/** The cover of a book, drawn from its title: the same title always gives the same cover. Pure. */

export interface Cover {
  width: number;
  height: number;
  background: string;
  ink: string;
  accent: string;
  /** Arcs in squares, as the data of a path. */
  pattern: string;
  title: { text: string; y: number }[];
  size: number;
}

const WIDTH = 1200;
const HEIGHT = 1800;
const TILE = 150;
/** Rows of squares below the title. */
const FROM = 7;
const MARGIN = 120;

/** Background and accent, dark enough and light enough for white letters and thin lines. */
const COLOURS: [background: string, accent: string][] = [
  ["#1f3a4d", "#e0b15a"],
  ["#4a1f2b", "#e3a587"],
  ["#22402f", "#cfd27a"],
  ["#2d2a52", "#e59ab0"],
  ["#5a3314", "#f0c987"],
  ["#123f44", "#8fd3c1"],
];

export function createCover(title: string): Cover {
  const next = randomNumbers(title);
  const [background, accent] = COLOURS[Math.floor(next() * COLOURS.length)] ?? ["#222222", "#dddddd"];
  const size = sizeOf(title);
  const lines = linesOf(title, size);
  return {
    width: WIDTH,
    height: HEIGHT,
    background,
    accent,
    ink: "#ffffff",
    size,
    pattern: patternOf(next),
    title: lines.map((text, at) => ({ text, y: 260 + size + at * size * 1.2 })),
  };
}

const LINES_AT_MOST = 6;

/** The largest at which the title fits above the pattern. */
function sizeOf(title: string): number {
  const sizes = [132, 112, 96, 82, 70, 58, 46];
  const fits = (size: number): boolean => {
    const lines = wrapped(title, size);
    return (
      lines.length <= LINES_AT_MOST && lines.length * size * 1.2 < 640 && !lines.some((line) => isWide(line, size))
    );
  };
  return sizes.find(fits) ?? 46;
}

function linesOf(title: string, size: number): string[] {
  const lines = wrapped(title, size).map((line) => (isWide(line, size) ? `${line.slice(0, 30)}…` : line));
  if (lines.length <= LINES_AT_MOST + 4) return lines;
  return [...lines.slice(0, LINES_AT_MOST + 3), "…"];
}

/** Letters of a serif are half as wide as they are high, capitals and wide scripts more. */
const widthOf = (text: string): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + (/[A-ZÀ-ÞΑ-ΩЀ-Я]/.test(letter) ? 0.72 : letter > "⺀" ? 1.05 : 0.56),
    0,
  );

const isWide = (line: string, size: number): boolean => widthOf(line) * size > WIDTH - 2 * MARGIN;

function wrapped(title: string, size: number): string[] {
  const lines: string[] = [];
  for (const word of title.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length === 0 || isWide(longer, size)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Each square has two arcs, around two corners that face each other: together they draw endless lines. */
function patternOf(next: () => number): string {
  const arcs: string[] = [];
  const half = TILE / 2;
  for (let y = FROM * TILE; y < HEIGHT; y += TILE) {
    for (let x = 0; x < WIDTH; x += TILE) {
      arcs.push(
        next() < 0.5
          ? `M${x + half} ${y}A${half} ${half} 0 0 1 ${x} ${y + half}M${x + TILE} ${y + half}A${half} ${half} 0 0 0 ${x + half} ${y + TILE}`
          : `M${x + half} ${y}A${half} ${half} 0 0 0 ${x + TILE} ${y + half}M${x} ${y + half}A${half} ${half} 0 0 1 ${x + half} ${y + TILE}`,
      );
    }
  }
  return arcs.join("");
}

/** Between 0 and 1, decided by the text: a hash (FNV-1a) that seeds a generator (mulberry32). */
function randomNumbers(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
