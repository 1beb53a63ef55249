/** Doubles of a summarising model. They show the arithmetic of summaries; how a model summarises only a model shows. */
import type { Summarise } from "./arm.ts";
import { SUMMARY_TOKENS, startOf, tokensOf } from "./window.ts";

/** Keeps word for word, from the beginning, what fits. */
export const idealSummary: Summarise = async (conversation) => startOf(conversation, SUMMARY_TOKENS);

/** Gives each part of the conversation the same share: of its lines it keeps every second, third, … until they fit. */
export const evenSummary: Summarise = async (conversation) => {
  const lines = conversation.split("\n").filter((line) => line.trim() !== "");
  for (let step = 2; step <= lines.length; step += 1) {
    const kept = lines.filter((_, at) => at % step === 0).join("\n");
    if (tokensOf(kept) <= SUMMARY_TOKENS) return kept;
  }
  return "";
};
