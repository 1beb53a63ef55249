/** How many words an instruction asks for, in a field or in its text. If that is not certain, it asks for none. Pure. */
import type { DraftInstruction } from "./program.ts";

export interface WordBudget {
  least?: number;
  most?: number;
}

/** The field is exact, but for ways of counting. */
export const instructionBudget = ({ words, text }: Pick<DraftInstruction, "words" | "text">): WordBudget | undefined =>
  words ? bounds(words.least, words.most) : wordBudgetOf(text);

export function wordBudgetOf(text: string): WordBudget | undefined {
  const found = sentencesOf(text).flatMap(budgetsIn);
  const [first] = found;
  // Several different numbers belong to parts, and it is unknown to which.
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
/** "Chapter 1 to 3,000 words" is no range. */
const RANGE = new RegExp(String.raw`(?<!\bchapter\s)\b${NUMBER}\s*(?:-|–|—|to|and|or)\s*${NUMBER}${WORDS}`, "gi");
const SINGLE = new RegExp(`${NUMBER}${WORDS}`, "gi");

/** It speaks of the whole, of each of several, or of a part of what is to be written. */
const OF_SOMETHING_ELSE =
  /\b(?:book|novel|manuscript|altogether|in total|overall|so far|each|every|per|apiece|summary|synopsis|blurb|epigraph|abstract|section|scene|paragraph|passage|outline|letter|poem|speech|quotation|dialogue|already|add(?:s|ing)?|another|more words|cut|shorten(?:ed)? by)\b/i;

/** Longer ones are none: a table, a string of digits. */
const SENTENCE_CHARS = 2_000;

function budgetsIn(sentence: string): WordBudget[] {
  if (sentence.length > SENTENCE_CHARS) return [];
  if (OF_SOMETHING_ELSE.test(sentence) || TOLD_OF_OTHERS.test(sentence)) return [];
  const ranges = [...sentence.matchAll(RANGE)];
  const found = ranges.length > 0 ? ranges : [...sentence.matchAll(SINGLE)];
  return found
    .filter((match) => isAskedFor(aroundOf(sentence, match)))
    .map((match) => (ranges.length > 0 ? bounds(numberOf(match[1]), numberOf(match[2])) : single(sentence, match)))
    .filter(({ least = 0, most = least }) => Math.max(least, most) >= CHAPTER_WORDS);
}

/** Somebody in the text, or beside it, has to do with these words. */
const TOLD_OF_OTHERS =
  /\b(?:why|how|who|whose|whom|which|that|when|where|because|whether|if|demand(?:s|ed)?|require[sd]?|ask(?:s|ed)?|limits?|rules?|competition|contest)\b/i;

interface Around {
  before: string;
  after: string;
  /** "At least", "between": what is compared is asked for. */
  compared: boolean;
}

function aroundOf(sentence: string, match: RegExpExecArray): Around {
  const all = sentence.slice(0, match.index);
  const before = all.replace(NEARLY, "");
  const after = sentence.slice(match.index + match[0].length);
  const compared = COMPARED.test(all) || /^\s+(?:(?:or|and) (?:more|fewer|less)|at (?:least|most))\b/i.test(after);
  return { before: before.replace(COMPARED, ""), after, compared };
}

const NEARLY = /(?:\b(?:about|around|some|roughly|approximately|nearly|circa|ca\.?|approx\.?)\s+|~\s*)$/i;
const COMPARED =
  /\b(?:at (?:least|most)|(?:no|not) (?:fewer|less|more) than|a? ?(?:minimum|maximum)(?: of|:)?|(?:more|fewer|less) than|max\.?|up to|(?:not )?over|under|below|within|between)\s+$/i;

const CHAPTER = "(?:chapter|story|essay|article|text|prologue|epilogue|introduction|piece)";
const BEFORE_IT = [
  /^\W*$|\($/,
  /\b(?:length|target|words|(?:word )?budget|word count)(?:\s+is|\s+of)?:?\s*$/i,
  new RegExp(String.raw`\b${CHAPTER}(?:\s+\w+)?,?\s+(?:of|with|has|is|should (?:be|have)|must (?:be|have))\s+$`, "i"),
  new RegExp(String.raw`\b${CHAPTER}\s+\w+[,:]\s+$`, "i"),
  /(?:^\W*|[,:;]\s*|\b(?:please|now|then)\s+)(?:re)?(?:write|draft|compose|produce|keep|stay|aim)\b[^:;]*$/i,
  /^\W*(?:extend|expand|lengthen)\b[^:;]*\bto\s+$/i,
];
const GROWS = /\b(?:extend|expand|lengthen|grow|increase|enlarge)/i;
const AFTER_IT = /^\s*(?:$|[,():–—]|(?:long|in length|on|about|of (?:text|prose)|in|for|with|or|and|at|here)\b)/i;

function isAskedFor({ before, after, compared }: Around): boolean {
  if (/\bby\s+$/i.test(before) || (GROWS.test(before) && !/\bto\s+$/i.test(before))) return false;
  if (new RegExp(String.raw`^\s+(?:\w+\s+)?${CHAPTER}\b`, "i").test(after)) return true;
  return AFTER_IT.test(after) && (compared || BEFORE_IT.some((pattern) => pattern.test(before)));
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
