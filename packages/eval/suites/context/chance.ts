/** Chance with a fixed seed: a suite is the same on every computer. */
import { createHash } from "node:crypto";

export interface Chance {
  /** Eight letters; none comes twice. */
  word: () => string;
  /** So many of these, none of them taken before. */
  take: (from: readonly string[], count: number) => string[];
}

export function createChance(seed: string): Chance {
  let drawn = 0;
  const used = new Set<string>();
  const draw = (): Buffer => {
    drawn += 1;
    return createHash("sha256").update(`${seed} ${drawn}`).digest();
  };
  const unused = (next: () => string): string => {
    for (;;) {
      const found = next();
      if (used.has(found)) continue;
      used.add(found);
      return found;
    }
  };
  const word = (): string => unused(() => [...draw().subarray(0, 8)].map((byte) => LETTERS[byte % 25]).join(""));
  const taken = new Set<string>();
  const take: Chance["take"] = (from, count) =>
    Array.from({ length: count }, () => {
      for (;;) {
        const found = from[draw().readUInt32BE() % from.length] ?? "";
        if (taken.has(found)) continue;
        taken.add(found);
        return found;
      }
    });
  return { word, take };
}

const LETTERS = "abcdefghijklmnopqrstuvwxy";
