/** How many words an instruction asks for, from its text alone. Where that cannot be told for certain, it asks for none. Pure. */

export interface WordBudget {
  least?: number;
  most?: number;
}

export function wordBudgetOf(text: string): WordBudget | undefined {
  const found = sentencesOf(text).flatMap(budgetsIn);
  const [first] = found;
  // Several that differ are of parts, and nobody can say of which.
  return found.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined;
}

/** "About 3,000 words": a quarter less is still about that, and twice as much no longer. */
const ABOUT_LEAST = 0.75;
const ABOUT_MOST = 2;
/** What one counts as two words another counts as one. */
const COUNTING = 0.05;
/** Fewer are of a summary, a note, an epigraph, never of a chapter. */
const CHAPTER_WORDS = 150;

/** A full stop within a number ends no sentence. */
const sentencesOf = (text: string): string[] => text.split(/[.!?;](?=\s|$)|\n\s*\n|\n\s*[-*] /);

const NUMBER = String.raw`(\d{1,3}(?:[,\u00a0\u202f ]\d{3})+|\d+(?:\.\d+)?k|\d+)`;
const WORDS = String.raw`[\s-]words?\b`;
const RANGE = new RegExp(String.raw`${NUMBER}\s*(?:-|–|—|to|and|or)\s*${NUMBER}${WORDS}`, "gi");
const SINGLE = new RegExp(`${NUMBER}${WORDS}`, "gi");

/** It speaks of the whole, of each of several, or of a part of what is to be written. */
const OF_SOMETHING_ELSE =
  /\b(?:book|novel|manuscript|altogether|in total|overall|so far|each|every|per|apiece|summary|synopsis|blurb|epigraph|abstract|section|scene|paragraph|passage|outline|already|adds?|another|more words|cut|shorten(?:ed)? by)\b/i;

function budgetsIn(sentence: string): WordBudget[] {
  const ranges = [...sentence.matchAll(RANGE)].map(([, low, high]) => bounds(numberOf(low), numberOf(high)));
  const found = ranges.length > 0 ? ranges : [...sentence.matchAll(SINGLE)].map((match) => single(sentence, match));
  const asked = found.filter(({ least = 0, most = least }) => Math.max(least, most) >= CHAPTER_WORDS);
  return OF_SOMETHING_ELSE.test(sentence) ? [] : asked;
}

const bounds = (least: number | undefined, most: number | undefined): WordBudget => ({
  ...(least === undefined ? {} : { least: Math.floor(least * (1 - COUNTING)) }),
  ...(most === undefined ? {} : { most: Math.ceil(most * (1 + COUNTING)) }),
});

function single(sentence: string, match: RegExpExecArray): WordBudget {
  const number = numberOf(match[1]);
  const before = sentence.slice(0, match.index);
  const after = sentence.slice(match.index + match[0].length);
  if (AT_LEAST.test(before) || /^\s+(?:or|and) more\b|^\s+at least\b/i.test(after)) return bounds(number, undefined);
  if (AT_MOST.test(before) || /^\s+(?:or|and) (?:fewer|less)\b|^\s+at most\b/i.test(after))
    return bounds(undefined, number);
  return { least: Math.floor(number * ABOUT_LEAST), most: Math.ceil(number * ABOUT_MOST) };
}

const AT_LEAST =
  /\b(?:at least|no (?:fewer|less) than|not (?:fewer|less) than|a minimum of|minimum:?|more than|over)\s+$/i;
const AT_MOST =
  /\b(?:at most|no more than|not more than|a maximum of|maximum:?|max\.?|up to|under|below|fewer than|less than|not over|within)\s+$/i;

function numberOf(text = ""): number {
  const plain = text.replace(/[,\s]/g, "");
  return /k$/i.test(plain) ? Math.round(Number(plain.slice(0, -1)) * 1_000) : Number(plain);
}
