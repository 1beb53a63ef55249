/** Finds a passage whose lines differ from a text only in the white space at their ends. Pure. */

export interface Span {
  from: number;
  to: number;
}

/** Beyond it a passage is compared exactly only: lines that are all alike would be compared with each other. */
const COMPARISONS = 20_000_000;

/** Undefined: there is none, or more than one. */
export function onlySpanBut(text: string, find: string): Span | undefined {
  const wanted = find.split("\n").map((line) => line.trimEnd());
  const lines = text.split("\n");
  if (wanted.every((line) => line === "") || lines.length * wanted.length > COMPARISONS) return undefined;
  const trimmed = lines.map((line) => line.trimEnd());
  const first = wanted[0] ?? "";
  let found: Span | undefined;
  let from = 0;
  for (const [at, line] of lines.entries()) {
    if (trimmed[at]?.endsWith(first) && isSame(trimmed, { wanted, at })) {
      if (found) return undefined;
      const start = from + (trimmed[at]?.length ?? 0) - first.length;
      found = { from: start, to: endOf(lines, { wanted, at, from }) };
    }
    from += line.length + 1;
  }
  return found;
}

/** The first line may begin in the middle, the others are whole. */
function isSame(trimmed: string[], { wanted, at }: { wanted: string[]; at: number }): boolean {
  const last = wanted.length - 1;
  return wanted.every((line, index) => {
    if (index === 0) return true;
    // A passage that ends with a line's end leaves the next line alone.
    if (index === last && line === "") return at + index <= trimmed.length;
    return trimmed[at + index] === line;
  });
}

function endOf(lines: string[], { wanted, at, from }: { wanted: string[]; at: number; from: number }): number {
  const last = wanted.length - 1;
  const before = lines.slice(at, at + last).reduce((sum, line) => sum + line.length + 1, from);
  if (last > 0 && wanted[last] === "") return before;
  return before + (lines[at + last] ?? "").replace(/\r$/, "").length;
}
