/** What the steps that a make executes may cost. Pure. */
import type { PlannedStep, SourceStep } from "./plan-make.ts";

export interface MakePrice {
  /** Steps that are executed, and what they cost if each costs as much as the accepted steps of the run did. */
  execute: { steps: number; p50: number; p90: number };
  /** What is added where no check is green. */
  check: { steps: number; p50: number; p90: number };
}

/** In micro-dollars, from what the accepted steps cost. */
export function priceOf(planned: PlannedStep[], source: SourceStep[]): MakePrice {
  const costs = source.filter(({ accepted, asks }) => accepted && !asks).map(({ microUsd }) => microUsd);
  const [p50, p90] = [quantile(costs, 0.5), quantile(costs, 0.9)];
  const priced = (decision: PlannedStep["decision"]) => {
    const { length: steps } = planned.filter((each) => each.decision === decision && !each.asks);
    return { steps, p50: steps * p50, p90: steps * p90 };
  };
  return { execute: priced("execute"), check: priced("check") };
}

/** The nearest rank: a cost that was paid. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
