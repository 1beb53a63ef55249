/** What a program costs: in the worst case of every call, and if its steps are usual ones. Pure. */
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

/** A usual step, on the high side: what a conversation with a few refusals takes. Nothing of it is cached. */
export const USUAL_STEP = { calls: 12, inputTokens: 24_000, outputTokens: 2_000 } as const;

type Priced = Pick<ModelProfile, "contextWindow" | "maxOutputTokens" | "price">;

/** Of the dearest model that may execute it. Absent: a price is not known. */
export function usualStepCost(profiles: readonly Priced[]): number | undefined {
  const costs = profiles.flatMap(({ price, contextWindow, maxOutputTokens }) => {
    if (!price) return [];
    const outputTokens = Math.min(USUAL_STEP.outputTokens, maxOutputTokens);
    const inputTokens = Math.max(0, Math.min(USUAL_STEP.inputTokens, contextWindow - outputTokens));
    return [USUAL_STEP.calls * costOf(price, { inputTokens, cachedTokens: 0, outputTokens })];
  });
  return costs.length === profiles.length && costs.length > 0 ? Math.max(...costs) : undefined;
}

/** A step that gets stuck is split once, and its parts have turns of their own. */
export const TURNS_PER_STEP = TURNS_PER_INSTRUCTION * (1 + SPLIT_PARTS) + SPLITTING_TURNS;

export function worstCaseCost(steps: number, profile: Priced): WorstCase {
  const calls = steps * TURNS_PER_STEP;
  if (!profile.price) return { calls };
  const outputTokens = Math.min(profile.maxOutputTokens, Math.floor(profile.contextWindow / 2));
  const usage = { inputTokens: profile.contextWindow - outputTokens, cachedTokens: 0, outputTokens };
  const microUsdPerCall = costOf(profile.price, usage);
  return { calls, microUsdPerCall, microUsd: microUsdPerCall * calls };
}
