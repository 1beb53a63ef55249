/** What a program costs at most: every step takes all its turns, and every call fills the model's window. Pure. */
import { SPLIT_PARTS, SPLITTING_TURNS, TURNS_PER_INSTRUCTION } from "../../../limits.ts";
import { costOf } from "../../../run/budget.ts";
import type { ModelProfile } from "../../../turn/model-profile.ts";

export interface WorstCase {
  /** Model calls. */
  calls: number;
  /** Absent: the price of the model is not known. */
  microUsdPerCall?: number;
  microUsd?: number;
}

/** A step that gets stuck is split once, and its parts have turns of their own. */
export const TURNS_PER_STEP = TURNS_PER_INSTRUCTION * (1 + SPLIT_PARTS) + SPLITTING_TURNS;

export function worstCaseCost(
  steps: number,
  profile: Pick<ModelProfile, "contextWindow" | "maxOutputTokens" | "price">,
): WorstCase {
  const calls = steps * TURNS_PER_STEP;
  if (!profile.price) return { calls };
  const outputTokens = Math.min(profile.maxOutputTokens, Math.floor(profile.contextWindow / 2));
  const usage = { inputTokens: profile.contextWindow - outputTokens, cachedTokens: 0, outputTokens };
  const microUsdPerCall = costOf(profile.price, usage);
  return { calls, microUsdPerCall, microUsd: microUsdPerCall * calls };
}
