/** The difference between two texts, line by line, as people read it. Pure. */

/** Beyond this many comparisons the middle counts as rewritten. */
const MOST_CELLS = 4_000_000;
const AROUND = 2;

export interface ComparedLine {
  mark: " " | "-" | "+";
  text: string;
}

/** Empty where the texts are the same. `…`: lines that are the same are left out. */
export function lineDifference(before: string, after: string): string {
  if (before === after) return "";
  const lines = compareLines(before.split("\n"), after.split("\n"));
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(isChange));
  return lines.flatMap(({ mark, text }, at) => lineAt({ mark, text }, { isNear, at })).join("");
}

const isChange = ({ mark }: ComparedLine): boolean => mark !== " ";

function lineAt({ mark, text }: ComparedLine, { isNear, at }: { isNear: boolean[]; at: number }): string[] {
  if (isNear[at]) return [`${mark} ${text}`.trimEnd(), "\n"];
  // Once for each gap.
  return at === 0 || isNear[at - 1] ? ["…\n"] : [];
}

export function compareLines(some: string[], others: string[]): ComparedLine[] {
  let head = 0;
  while (head < some.length && head < others.length && some[head] === others[head]) head += 1;
  let tail = 0;
  const room = Math.min(some.length, others.length) - head;
  while (tail < room && some.at(-1 - tail) === others.at(-1 - tail)) tail += 1;
  const same = (text: string): ComparedLine => ({ mark: " ", text });
  const middle = rewritten(some.slice(head, some.length - tail), others.slice(head, others.length - tail));
  return [...some.slice(0, head).map(same), ...middle, ...some.slice(some.length - tail).map(same)];
}

function rewritten(gone: string[], come: string[]): ComparedLine[] {
  if (gone.length * come.length > MOST_CELLS) {
    return [
      ...gone.map((text): ComparedLine => ({ mark: "-", text })),
      ...come.map((text): ComparedLine => ({ mark: "+", text })),
    ];
  }
  const common = commonLengths(gone, come);
  const lines: ComparedLine[] = [];
  let [a, b] = [0, 0];
  while (a < gone.length || b < come.length) {
    const isSame = a < gone.length && b < come.length && gone[a] === come[b];
    if (isSame) lines.push({ mark: " ", text: gone[a] ?? "" });
    const drops =
      !isSame && (b >= come.length || (a < gone.length && lengthAt(common, a + 1, b) >= lengthAt(common, a, b + 1)));
    if (drops) lines.push({ mark: "-", text: gone[a] ?? "" });
    if (!isSame && !drops) lines.push({ mark: "+", text: come[b] ?? "" });
    if (isSame || drops) a += 1;
    if (isSame || !drops) b += 1;
  }
  return lines;
}

const lengthAt = (common: Uint32Array[], a: number, b: number): number => common[a]?.[b] ?? 0;

/** Of the longest common subsequence of what begins at each pair of lines. */
function commonLengths(gone: string[], come: string[]): Uint32Array[] {
  const rows = Array.from({ length: gone.length + 1 }, () => new Uint32Array(come.length + 1));
  for (let a = gone.length - 1; a >= 0; a -= 1) {
    const row = rows[a];
    for (let b = come.length - 1; row && b >= 0; b -= 1) {
      const isSame = gone[a] === come[b];
      row[b] = isSame ? lengthAt(rows, a + 1, b + 1) + 1 : Math.max(lengthAt(rows, a + 1, b), lengthAt(rows, a, b + 1));
    }
  }
  return rows;
}
