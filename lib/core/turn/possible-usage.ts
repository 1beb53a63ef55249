/** Whether what a model server says it counted can have happened in this call. What cannot is not believed. Pure. */
import type { Usage } from "../ports.ts";

export interface CallSize {
  /** Of the request. No tokenizer makes more tokens of a text than it has bytes. */
  bytes: number;
  maxOutputTokens: number;
  /** Characters of the messages, and of the answer, without what repeats itself. */
  sent: number;
  written: number;
}

/** What servers add around the request: their template, and their words about tools. */
const TEMPLATE_TOKENS = 4_096;
/** Servers differ in what they count as output, by a little. */
const OUTPUT_MARGIN = 1.05;
const OUTPUT_EXTRA_TOKENS = 64;
/** No text is as sparse: ordinary text has four to five characters a token. */
const MOST_CHARACTERS_PER_TOKEN = 20;

export function isPossible(usage: Usage, { bytes, maxOutputTokens, sent, written }: CallSize): boolean {
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const areCounts = [inputTokens, cachedTokens, outputTokens].every(
    (count) => Number.isSafeInteger(count) && count >= 0,
  );
  return (
    areCounts &&
    cachedTokens <= inputTokens &&
    inputTokens >= sent / MOST_CHARACTERS_PER_TOKEN &&
    inputTokens <= bytes + TEMPLATE_TOKENS &&
    outputTokens >= written / MOST_CHARACTERS_PER_TOKEN &&
    outputTokens <= maxOutputTokens * OUTPUT_MARGIN + OUTPUT_EXTRA_TOKENS
  );
}
