/** What a run has used of each of its ceilings, in words, and how a higher one is asked for. Pure. */
import { type Ceiling, MICRO } from "./budget.ts";
import type { Budget } from "./option-forms.ts";
import type { Run } from "./run.ts";

type RunUsage = Pick<Run, "microUsd" | "inputTokens" | "outputTokens" | "turns" | "activeMs">;

interface Measure {
  flag: string;
  used(run: RunUsage): number;
  says(used: number): string;
}

const MEASURES: Record<Ceiling, Measure> = {
  usd: {
    flag: "--budget",
    used: ({ microUsd }) => microUsd / MICRO,
    says: (used) => `$${upwards(used, 10_000)} is used`,
  },
  tokens: {
    flag: "--max-tokens",
    used: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    says: (used) => are(used, "token"),
  },
  turns: { flag: "--max-turns", used: ({ turns }) => turns, says: (used) => are(used, "turn") },
  minutes: {
    flag: "--max-minutes",
    used: ({ activeMs }) => activeMs / 60_000,
    says: (used) => are(upwards(used, 100), "minute"),
  },
};
const CEILINGS = Object.keys(MEASURES) as Ceiling[];

export const isCeiling = (reason: string | undefined): reason is Ceiling => CEILINGS.some((each) => each === reason);

/** The flag of a command, with twice what there was, or was used, and enough for several calls like the refused one. */
export function higherFlag(run: Run, ceiling: Ceiling): string[] {
  const { flag, used } = MEASURES[ceiling];
  const usedUp = used(run);
  const doubled = Math.max(run.options.budget[ceiling] ?? 5, Math.floor(usedUp)) * 2;
  const higher = doubled > usedUp ? doubled : Math.ceil(usedUp) * 2;
  const needed = ceiling === "usd" ? ((run.neededMicroUsd ?? 0) * CALLS_TO_GO_ON) / MICRO + usedUp : 0;
  return [flag, String(Math.max(higher, upwards(needed, 100)))];
}

/** A budget that allows one call more would end with the next one. */
const CALLS_TO_GO_ON = 10;

/** With which the run would end at once. */
export function usedUpCeiling(run: RunUsage, budget: Budget): { ceiling: Ceiling; problem: string } | undefined {
  const ceiling = CEILINGS.find((each) => (budget[each] ?? Number.POSITIVE_INFINITY) <= MEASURES[each].used(run));
  if (!ceiling) return undefined;
  const { says, used } = MEASURES[ceiling];
  return { ceiling, problem: `${says(used(run))}: the ceiling must be above that.` };
}

/** Never less than what is used. */
const upwards = (amount: number, parts: number): number => Math.ceil(amount * parts) / parts;

const are = (used: number, noun: string): string => (used === 1 ? `1 ${noun} is used` : `${used} ${noun}s are used`);
