/** The known word that a mistyped one was probably meant to be. Pure. */

/** A quarter of the word may be wrong, and at least one letter. */
const mayDiffer = (word: string): number => Math.max(1, Math.floor(word.length / 4));

export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((each) => each.distance <= mayDiffer(word))
    .sort((a, b) => a.distance - b.distance);
  return (ranked[0] ?? { candidate: known.find((candidate) => word.length >= 3 && candidate.startsWith(word)) })
    .candidate;
}

export function suggestion(word: string, known: readonly string[]): string {
  const best = nearestWord(word, known);
  return best ? ` Did you mean ${best}?` : "";
}

/** Letters left out, added, changed, or two that changed places. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const best = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      rows[row]?.push(best);
    }
  }
  return at(one.length, other.length);
}
