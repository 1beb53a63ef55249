/** How much two short texts resemble each other, to put a wrong name right. Pure. */

/** From 0 (nothing in common) to 1 (the same), by the pairs of neighbouring characters they share. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (one.length < 2 || other.length < 2) return 0;
  const pairs = pairsOf(one);
  let shared = 0;
  for (let at = 1; at < other.length; at++) {
    const pair = pairAt(other, at);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared++;
  }
  return (2 * shared) / (one.length + other.length - 2);
}

/** The candidates that resemble the word, nearest first. */
export function nearest(word: string, candidates: readonly string[], atMost: number): string[] {
  const wanted = word.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, score: likeness(wanted, candidate.toLowerCase()) }))
    .filter(({ score }) => score >= WORTH_NAMING)
    .sort((a, b) => b.score - a.score)
    .slice(0, atMost)
    .map(({ candidate }) => candidate);
}

/** Below this a suggestion leads astray. */
const WORTH_NAMING = 0.4;

function pairsOf(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  for (let at = 1; at < text.length; at++) {
    const pair = pairAt(text, at);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

const pairAt = (text: string, at: number): number => text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at);
