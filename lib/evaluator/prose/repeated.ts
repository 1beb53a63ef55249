/** Passages that stand twice in a book. Pure; its time grows with the book and no faster. */

import { type ProseFile, wordsOf } from "../../core/prose/book-text.ts";
import type { Finding } from "../../core/verdict/verdict.ts";

/** A refrain, a motto or a sentence that returns on purpose is shorter. */
const PASSAGE_WORDS = 40;
const FINDINGS = 20;

interface Passage {
  path: string;
  line: number;
  word: string;
}

/** Quotes and verse may return. `judged`: of each pair one must be among these. */
export function repeatedPassages(files: ProseFile[], judged: (path: string) => boolean): Finding[] {
  const places: Passage[] = files.flatMap((file) =>
    wordsOf(file, ["text"]).map((word) => ({ path: file.path, ...word })),
  );
  const seen = new Map<number, number>();
  const hashes = hashesOf(places);
  const findings: Finding[] = [];
  for (let at = 0; at < hashes.length && findings.length < FINDINGS; at += 1) {
    const hash = hashes[at] ?? 0;
    const before = seen.get(hash);
    if (before === undefined) seen.set(hash, at);
    const length = before === undefined || before + PASSAGE_WORDS > at ? 0 : lengthOf(places, before, at);
    if (before === undefined || length < PASSAGE_WORDS) continue;
    const finding = findingOf(places[before], places[at], length);
    if (finding && [places[before], places[at]].some((workspace) => workspace && judged(workspace.path)))
      findings.push(finding);
    at += length - 1;
  }
  return findings;
}

/** Of the passage that begins at each word: each follows from the one before. */
function hashesOf(places: Passage[]): number[] {
  const numbers = new Map<string, number>();
  const codes = places.map(({ word }) => {
    const known = numbers.get(word) ?? numbers.size + 1;
    numbers.set(word, known);
    return known;
  });
  const hashes: number[] = [];
  let hash = 0;
  for (const [at, code] of codes.entries()) {
    hash = times(hash, BASE) + code;
    if (at >= PASSAGE_WORDS) hash -= times(codes[at - PASSAGE_WORDS] ?? 0, FIRST);
    hash = ((hash % PRIME) + PRIME) % PRIME;
    if (at >= PASSAGE_WORDS - 1) hashes.push(hash);
  }
  return hashes;
}

/** Below the square root of what numbers hold exactly, so that no product is rounded. */
const PRIME = 94_906_249;
const BASE = 1_000_003;
const times = (one: number, other: number): number => (one * other) % PRIME;
const FIRST = Array.from({ length: PASSAGE_WORDS }).reduce<number>((power) => times(power, BASE), 1);

/** Different passages may have the same hash: the words decide. The two never run into each other. */
function lengthOf(places: Passage[], one: number, other: number): number {
  let length = 0;
  while (one + length < other && places[one + length]?.word === places[other + length]?.word) {
    if (places[other + length] === undefined) break;
    length += 1;
  }
  return length;
}

function findingOf(first: Passage | undefined, again: Passage | undefined, length: number): Finding | undefined {
  if (!first || !again) return undefined;
  const where = first.path === again.path ? `line ${first.line}` : `${first.path}:${first.line}`;
  const message = `a passage of ${length} words is repeated: it is in ${where} already`;
  return { path: again.path, line: again.line, message, rule: "repeated" };
}
