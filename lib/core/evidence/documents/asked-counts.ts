/** Whether the bounds of a count are those that a requirement names: "at least 900 words". Pure. */
import type { Count } from "./document-check.ts";

const UNITS: Readonly<Record<Count["of"], RegExp>> = {
  words: /^words?$/,
  headings: /^(?:headings?|sections?)$/,
  chapters: /^chapters?$/,
};
const isUnit = (word: string): boolean => Object.values(UNITS).some((unit) => unit.test(word));

/** As many words before what is counted hold its numbers: "900 to 1200 English words". */
const NEAR = 4;
const NUMBERS = "two three four five six seven eight nine ten eleven twelve".split(" ");

const LEAST = /\b(?:at least|minimum|no fewer|not fewer|no less|not less|more than|or more)\b/i;
const MOST = /\b(?:at most|maximum|no more|not more|no longer|fewer than|less than|up to|or fewer|or less)\b/i;

/** A bound is a number that is named before its unit; where the requirement says which bound, it is that one. */
export function isCountOf(requirement: string, { of, least, most }: Count): boolean {
  const named = numbersBefore(UNITS[of], requirement);
  const isNamed = (bound: number | undefined): boolean => bound !== undefined && named.has(bound);
  const asksForMost = MOST.test(requirement);
  const asksForLeast = LEAST.test(requirement.replace(/\b(?:no|not) more than\b/gi, " "));
  if (asksForLeast || asksForMost) return (!asksForLeast || isNamed(least)) && (!asksForMost || isNamed(most));
  return isNamed(least) || (least !== undefined && least > 0 && isNamed(most));
}

function numbersBefore(unit: RegExp, requirement: string): Set<number> {
  const words = requirement
    .toLowerCase()
    .replace(/(\d)[,\u00a0](?=\d{3}\b)/g, "$1")
    .match(/\d+|[a-z]+/g);
  const found = new Set<number>();
  for (const [at, word] of (words ?? []).entries()) {
    if (!unit.test(word)) continue;
    const before = (words ?? []).slice(Math.max(0, at - NEAR), at).reverse();
    const other = before.findIndex(isUnit);
    for (const each of other < 0 ? before : before.slice(0, other)) {
      const number = /^\d+$/.test(each) ? Number(each) : NUMBERS.indexOf(each) + 2;
      if (number >= 2 || each === "1") found.add(number);
    }
  }
  return found;
}
