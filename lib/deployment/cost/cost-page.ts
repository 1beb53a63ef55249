/** The tables of docs/cost.md that are computed, for the page and for `npm run bench cost`. Pure. */
import { type CostLine, idleCost, type TemplateResources, totalUsd } from "./idle-cost.ts";
import { HOURS_PER_MONTH, MONTHLY, PRICES } from "./prices.ts";
import { computingUsd, watchingUsd } from "./watching-cost.ts";

/** What an idle stack may cost a month. */
export const IDLE_AIM_USD = 1.5;

export const idleLines = (resources: TemplateResources): CostLine[] => {
  const lines = idleCost(resources);
  return [...lines, { what: "together", usd: totalUsd(lines) }];
};

export interface UseFacts {
  apiMemoryMb: number;
  executeMemoryMb: number;
  evaluatorMemoryMb: number;
}

/** What is charged beside the requests of a run. */
export const useLines = (facts: UseFacts): CostLine[] => [
  { what: "computing a run for an hour, without its model and its tests", usd: computingUsd(facts) },
  { what: "watching it for that hour", usd: watchingUsd(facts) },
  {
    what: "a new environment of the evaluator, isolated by tenant",
    usd: (facts.evaluatorMemoryMb / 1_024) * PRICES.tenantGb,
  },
  { what: "a thousand traces: one for each invocation in a run", usd: 1_000 * PRICES.trace },
  { what: "a custom metric (Spend, for one), for each hour with data", usd: MONTHLY.customMetric / HOURS_PER_MONTH },
  { what: "a GB of logs", usd: 1_000_000_000 * PRICES.logByte },
  { what: "building the image in the account, about five minutes", usd: 5 * PRICES.buildMinute },
  { what: "the image, for each version that is kept, a month", usd: 0.5 * MONTHLY.imageGb },
];

export const costRows = (lines: readonly CostLine[]): string[] =>
  lines.map(({ what, usd }) => `| ${what} | $${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(2)} |`);
