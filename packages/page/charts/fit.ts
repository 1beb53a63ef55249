/** How much room words take, and how they are shortened to what is there. Pure: no chart can ask a screen. */

/** The widest of the usual fonts needs so much for a letter. */
const LETTER = 7;
/** Of a font whose letters are equally wide: exact. */
const FIXED_LETTER = 7.25;

export const widthOf = (words: string): number => words.length * LETTER;
export const fixedWidthOf = (words: string): number => words.length * FIXED_LETTER;
export const lettersIn = (width: number): number => Math.floor(width / FIXED_LETTER);

/** Both ends of a path say more than its middle, and the end more than the beginning. */
export function middleLeftOut(path: string, letters: number): string {
  if (path.length <= letters) return path;
  const end = Math.ceil(((letters - 1) * 2) / 3);
  return `${path.slice(0, Math.max(0, letters - 1 - end))}…${path.slice(-end)}`;
}

export const endLeftOut = (words: string, letters: number): string =>
  words.length <= letters ? words : `${words.slice(0, Math.max(0, letters - 1)).trimEnd()}…`;

/** In lines of at most so many letters, cut between words where there are some. */
export function inLines(words: string, width: number): string[] {
  const letters = Math.max(8, Math.floor(width / LETTER));
  const lines: string[] = [];
  for (const word of words.split(/\s+/).filter((each) => each !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(endLeftOut(word, letters));
  }
  return lines;
}
