/** Ceilings and cost: the worst case is reserved before a call, the truth settled after it. Money is in micro-dollars. */
import { OUTPUT_FLOOR_TOKENS } from "../limits.ts";
import type { Usage } from "../ports.ts";
import { pluralize } from "../text/format.ts";
import type { ModelProfile, Price } from "../turn/model-profile.ts";
import { type DayAccount, isPriced, leftAtBest, leftToday, usedUpWords } from "./daily.ts";
import type { Budget } from "./option-forms.ts";
import type { Run } from "./run.ts";

export const MICRO = 1_000_000;
export const usdOf = (microUsd: number): number => microUsd / MICRO;

export const costOfRun = (run: Run) => ({
  usd: usdOf(run.microUsd),
  calls: run.calls,
  turns: run.turns,
  inputTokens: run.inputTokens,
  cachedTokens: run.cachedTokens,
  outputTokens: run.outputTokens,
});

/** A price per million tokens in dollars is a price per token in micro-dollars. */
export function costOf(price: Price | undefined, usage: Usage): number {
  if (!price) return 0;
  const fresh = usage.inputTokens - usage.cachedTokens;
  const cached = usage.cachedTokens * (price.cachedInput ?? price.input);
  return Math.ceil(fresh * price.input + cached + usage.outputTokens * price.output);
}

export interface Reservation {
  microUsd: number;
  tokens: number;
}

export type Ceiling = "usd" | "tokens" | "turns" | "minutes";

export type Admission =
  | { allowed: true; maxOutputTokens: number; reservation: Reservation }
  | { allowed: false; ceiling: Ceiling; detail: string; neededMicroUsd?: number }
  | UsedUpDay;

/** What all runs spend together is too much for one more call. */
export interface UsedUpDay {
  allowed: false;
  ceiling: "daily";
  detail: string;
  /** The least that the call may cost. */
  neededMicroUsd: number;
  /** Only what is in flight is in its way: room may come back. */
  mayReturn: boolean;
  /** One call alone could cost more than the whole day may. */
  isBeyondEveryDay: boolean;
}

type RunUsage = Pick<Run, "microUsd" | "inputTokens" | "outputTokens" | "turns" | "activeMs">;

interface AdmissionInput {
  spent: RunUsage;
  budget: Budget;
  profile: ModelProfile;
  inputTokens: number;
  wantedOutput: number;
  /** Absent: no ceiling for the day. */
  day?: DayAccount | undefined;
}

/** May this call be made, and how long may its answer be? The output limit is lowered before a call is refused. */
export function admit(asked: AdmissionInput): Admission {
  const { spent, budget, profile, inputTokens, wantedOutput } = asked;
  if (budget.turns !== undefined && spent.turns >= budget.turns)
    return refuse("turns", pluralize(budget.turns, "turn"));
  const usedUpMinutes = minutesUsedUp(budget, spent.activeMs);
  if (usedUpMinutes) return { allowed: false, ceiling: usedUpMinutes.reason, detail: usedUpMinutes.detail };
  const byUsd = affordableByUsd(asked);
  const byTokens = affordableByTokens(asked);
  const floor = Math.min(OUTPUT_FLOOR_TOKENS, wantedOutput);
  if (Math.floor(Math.min(byUsd, byTokens)) < floor) {
    const short = `$${budget.usd}; the next call could cost more than the $${left(spent, budget)} that is left`;
    return byUsd <= byTokens
      ? { ...refuse("usd", short), neededMicroUsd: leastCost(asked, floor) }
      : refuse("tokens", `${budget.tokens} tokens; the next call could take more than what is left`);
  }
  const byDay = asked.day ? affordable(leftToday(asked.day), asked) : Number.POSITIVE_INFINITY;
  if (asked.day && Math.floor(byDay) < floor) return usedUp(asked.day, asked, floor);
  const maxOutputTokens = Math.floor(Math.min(wantedOutput, byUsd, byTokens, byDay));
  const worst = { inputTokens, cachedTokens: 0, outputTokens: maxOutputTokens };
  return {
    allowed: true,
    maxOutputTokens,
    reservation: { microUsd: costOf(profile.price, worst), tokens: inputTokens + maxOutputTokens },
  };
}

/** For what takes time without a call of the model, too. */
export function minutesUsedUp(
  { minutes }: Budget,
  activeMs: number,
): { reason: "minutes"; detail: string } | undefined {
  if (minutes === undefined || activeMs < minutes * 60_000) return undefined;
  const { detail } = refuse("minutes", pluralize(minutes, "minute"));
  return { reason: "minutes", detail };
}

const refuse = (ceiling: Ceiling, what: string) => ({
  allowed: false as const,
  ceiling,
  detail: `The ceiling of this run is reached: ${what}.`,
});

const left = (spent: RunUsage, budget: Budget): string => ((budget.usd ?? 0) - usdOf(spent.microUsd)).toFixed(4);

/** Of a call with an answer of so many tokens. */
const leastCost = ({ profile: { price }, inputTokens }: AdmissionInput, outputTokens: number): number =>
  costOf(price, { inputTokens, cachedTokens: 0, outputTokens }) + 1;

/** Where all that is in flight came back, would it be enough? */
function usedUp(day: DayAccount, asked: AdmissionInput, floor: number): UsedUpDay {
  const neededMicroUsd = leastCost(asked, floor);
  const mayReturn = leftAtBest(day) >= neededMicroUsd;
  const isBeyondEveryDay = neededMicroUsd > day.limitMicroUsd;
  const detail = usedUpWords(day, neededMicroUsd);
  return { allowed: false, ceiling: "daily", detail, neededMicroUsd, mayReturn, isBeyondEveryDay };
}

const affordableByUsd = (asked: AdmissionInput): number =>
  asked.budget.usd === undefined
    ? Number.POSITIVE_INFINITY
    : affordable(Math.floor(asked.budget.usd * MICRO) - asked.spent.microUsd, asked);

/** Tokens of output, beside the whole input. */
function affordable(leftMicroUsd: number, { profile: { price }, inputTokens }: AdmissionInput): number {
  if (!isPriced(price)) return Number.POSITIVE_INFINITY;
  const remaining = leftMicroUsd - Math.ceil(inputTokens * price.input);
  if (remaining < 0) return Number.NEGATIVE_INFINITY;
  // One micro-dollar is kept for rounding up.
  return price.output === 0 ? Number.POSITIVE_INFINITY : (remaining - 1) / price.output;
}

function affordableByTokens({ spent, budget, inputTokens }: AdmissionInput): number {
  if (budget.tokens === undefined) return Number.POSITIVE_INFINITY;
  return budget.tokens - spent.inputTokens - spent.outputTokens - inputTokens;
}

/** What is left, as shown to the model at the end of each request. */
export function leftInWords(
  spent: RunUsage & { turn: number },
  budget: Budget,
  { turnCap, day }: { turnCap: number; day?: DayAccount | undefined },
): string {
  const parts = [`turn ${spent.turn + 1} of at most ${turnCap} for this instruction`];
  const ofRun = budget.usd === undefined ? Number.POSITIVE_INFINITY : budget.usd - usdOf(spent.microUsd);
  const ofDay = day ? usdOf(leftToday(day)) : Number.POSITIVE_INFINITY;
  const tightest = Math.min(ofRun, ofDay);
  if (Number.isFinite(tightest)) {
    parts.push(`$${Math.max(0, tightest).toFixed(2)} left${ofDay < ofRun ? " today" : ""}`);
  }
  if (budget.tokens !== undefined) {
    parts.push(`${Math.max(0, budget.tokens - spent.inputTokens - spent.outputTokens)} tokens left`);
  }
  if (budget.turns !== undefined) parts.push(`${Math.max(0, budget.turns - spent.turns)} turns left in all`);
  if (budget.minutes !== undefined) {
    parts.push(`${Math.max(0, Math.ceil(budget.minutes - spent.activeMs / 60_000))} minutes left`);
  }
  return `(${parts.join("; ")})`;
}
