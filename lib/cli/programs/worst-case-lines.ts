/** What a program costs at most, as data and in words. Pure. */
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import { TURNS_PER_STEP, type WorstCase, worstCaseCost } from "../../core/program/language/lint/cost.ts";
import type { Lint } from "../../core/program/language/lint/lint.ts";
import { MICRO } from "../../core/run/budget.ts";
import { amount, money, pluralize } from "../../core/text/format.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { Settings } from "../settings/settings.ts";

export interface CostReport extends WorstCase {
  /** Absent: none is set. */
  model?: string;
  /** At which the run ends, whatever the program. */
  budgetUsd: number;
}

export const costIn = (lint: Lint, profile: ModelProfile | undefined, { budget }: Settings): CostReport => ({
  ...worstCaseCost(lint.steps, profile ?? { contextWindow: 0, maxOutputTokens: 0, price: undefined }),
  ...(profile ? { model: profile.model } : {}),
  budgetUsd: budget ?? DEFAULT_BUDGET_USD,
});

export function costLines({ instructions, steps }: Lint, cost: CostReport): string[] {
  const size = `${pluralize(instructions, "instruction")}; at most ${pluralize(steps, "step")} and ${amount(cost.calls)} model calls (${TURNS_PER_STEP} a step).`;
  return [size, priceLine(cost)];
}

function priceLine({ model, microUsd, microUsdPerCall = 0, budgetUsd }: CostReport): string {
  if (model === undefined) return "No model is set: --model shows the worst case in US dollars.";
  if (microUsd === undefined)
    return `The price of ${model} is not known: --price IN,OUT shows the worst case in US dollars.`;
  if (microUsd === 0) return `${model} costs nothing.`;
  const worst = `Worst case with ${model}: ${money(microUsd)}, if every call fills its window (${money(microUsdPerCall)} a call).`;
  return microUsd > budgetUsd * MICRO ? `${worst} The run ends at its budget of ${money(budgetUsd * MICRO)}.` : worst;
}
