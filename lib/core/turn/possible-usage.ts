/** Whether what a model server says it counted can have happened in this call. What cannot is not believed. Pure. */
import type { Usage } from "../ports.ts";

export interface CallSize {
  /** Of the request. No tokenizer makes more tokens of a text than it has bytes. */
  bytes: number;
  maxOutputTokens: number;
}

/** What servers add around the request: their template, and their words about tools. */
const TEMPLATE_TOKENS = 4_096;
/** Servers differ in what they count as output, by a little. */
const OUTPUT_MARGIN = 1.05;
const OUTPUT_EXTRA_TOKENS = 64;

export function isPossible(usage: Usage, { bytes, maxOutputTokens }: CallSize): boolean {
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const areCounts = [inputTokens, cachedTokens, outputTokens].every(
    (count) => Number.isSafeInteger(count) && count >= 0,
  );
  return (
    areCounts &&
    cachedTokens <= inputTokens &&
    inputTokens <= bytes + TEMPLATE_TOKENS &&
    outputTokens <= maxOutputTokens * OUTPUT_MARGIN + OUTPUT_EXTRA_TOKENS
  );
}
