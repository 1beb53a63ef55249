/** What a program costs at most, as data and in words. Pure. */
import { DEFAULT_ASK_ABOVE_USD, DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import {
  TURNS_PER_STEP,
  USUAL_STEP,
  usualStepCost,
  type WorstCase,
  worstCaseCost,
} from "../../core/program/language/lint/cost.ts";
import type { Lint } from "../../core/program/language/lint/lint.ts";
import { MICRO } from "../../core/run/budget.ts";
import { amount, money, pluralize } from "../../core/text/format.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { Settings } from "../settings/settings.ts";

export interface CostReport extends WorstCase {
  /** Absent: none is set. */
  model?: string;
  /** Of all steps, if each is a usual one. Absent: the price of the model is not known. */
  usualMicroUsd?: number;
  /** At which the run ends, whatever the program. */
  budgetUsd: number;
  /** Above which a person is asked before anything is executed. */
  askAboveUsd: number;
}

type Steps = Pick<Lint, "steps">;

/** Of the dearest of the models, which are asked in their order. */
export function costIn(
  { steps }: Steps,
  profiles: readonly ModelProfile[],
  { budget, askAbove }: Settings,
): CostReport {
  const each = usualStepCost(profiles);
  const worst = profiles.map((profile) => ({ ...worstCaseCost(steps, profile), model: profile.model }));
  const unknown = worst.find(({ microUsd }) => microUsd === undefined);
  const [dearest] = worst.toSorted((one, other) => (other.microUsd ?? 0) - (one.microUsd ?? 0));
  return {
    ...(unknown ?? dearest ?? worstCaseCost(steps, { contextWindow: 0, maxOutputTokens: 0, price: undefined })),
    ...(each === undefined ? {} : { usualMicroUsd: each * steps }),
    budgetUsd: budget ?? DEFAULT_BUDGET_USD,
    askAboveUsd: askAbove ?? DEFAULT_ASK_ABOVE_USD,
  };
}

export function costLines({ instructions, steps, checks, questions }: Lint, cost: CostReport): string[] {
  const more = [
    ...(checks > 0 ? [pluralize(checks, "check")] : []),
    ...(questions > 0 ? [pluralize(questions, "question")] : []),
  ];
  const most = [pluralize(steps, "step"), ...more].join(", ");
  const size = `${pluralize(instructions, "instruction")}; at most ${most} and ${amount(cost.calls)} model calls (${TURNS_PER_STEP} a step).`;
  return [size, priceLine(cost), ...usualLines(cost)];
}

/** What decides whether a person is asked. */
function usualLines({ usualMicroUsd = 0, budgetUsd, askAboveUsd }: CostReport): string[] {
  if (usualMicroUsd === 0) return [];
  const asks = Math.min(usualMicroUsd, budgetUsd * MICRO) > askAboveUsd * MICRO;
  const limit = `the ${money(askAboveUsd * MICRO)} of --ask-above`;
  const then = asks
    ? `more than ${limit}: a run waits for approval first.`
    : `a run does not wait for approval below ${limit}.`;
  return [`With usual steps (${USUAL_STEP.calls} calls each): ${money(usualMicroUsd)}; ${then}`];
}

function priceLine({ model, microUsd, microUsdPerCall = 0, budgetUsd }: CostReport): string {
  if (model === undefined) return "No model is set: --model shows the worst case in US dollars.";
  if (microUsd === undefined)
    return `The price of ${model} is not known: --price IN,OUT shows the worst case in US dollars.`;
  if (microUsd === 0) return `${model} costs nothing.`;
  const worst = `Worst case with ${model}: ${money(microUsd)}, if every call fills its window (${money(microUsdPerCall)} a call).`;
  return microUsd > budgetUsd * MICRO ? `${worst} The run ends at its budget of ${money(budgetUsd * MICRO)}.` : worst;
}
