/** Whether a person is asked before a program is executed, because of what it may cost. Pure. */
import { DEFAULT_ASK_ABOVE_USD } from "../../core/limits.ts";
import { USUAL_STEP, usualStepCost } from "../../core/program/language/lint/cost.ts";
import { worstCaseSteps } from "../../core/program/language/lint/worst-case.ts";
import type { Draft, Instruction } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import { MICRO } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { money, pluralize } from "../../core/text/format.ts";
import { modelsOfInstructions } from "../../core/turn/model-fallback.ts";

type Asking = Pick<Run, "options" | "profile" | "models" | "microUsd" | "consent">;

/**
 * What the run says while it waits. A model without a price, or that costs nothing, never asks. `done`: so many of its
 * steps are executed already, or are taken over and cost nothing.
 */
export function consentFor(run: Asking, draft: Draft, done = 0): Pick<Run, "consent"> {
  const { askAbove = DEFAULT_ASK_ABOVE_USD, budget } = run.options;
  const steps = Math.max(0, worstCaseSteps(programIn(draft)) - done);
  const each = usualStepCost(modelsOfInstructions(run)) ?? 0;
  const left = budget.usd === undefined ? Number.POSITIVE_INFINITY : Math.max(0, budget.usd * MICRO - run.microUsd);
  const isMore = Math.min(steps * each, left) > askAbove * MICRO;
  // Who was asked once is asked of each program that takes the place of that one.
  if (!isMore && run.consent === undefined) return {};
  const most = steps * each > left ? `up to the ${money(left)} that its budget leaves` : `up to ${money(steps * each)}`;
  const sum = `${pluralize(steps, "step")} in the worst case, ${money(each)} for a usual one (${USUAL_STEP.calls} calls)`;
  return {
    consent: `Waiting for approval: the program may cost ${most} (${sum}), ${isMore ? "more" : "not more"} than the ${money(askAbove * MICRO)} above which a person is asked (--ask-above). ${done > 0 ? NOTHING_MORE : "Nothing has been executed yet."}`,
  };
}

const NOTHING_MORE = "Nothing more is executed before that.";

/** Of the worst case: questions cost no step in it, and what was split is one step. */
export const stepsIn = (done: Pick<Instruction, "kind" | "frames" | "isPart">[]): number => {
  const steps = done.filter(({ kind }) => kind === "do");
  const parts = steps.filter(({ isPart }) => isPart);
  return steps.length - parts.length + new Set(parts.map(({ frames }) => JSON.stringify(frames))).size;
};

/** A run that had its consent, or needed none, and goes on with more to spend, or after another one. */
export function consentAgain(run: Asking, draft: Draft, done: number): Pick<Run, "consent" | "askedAgain"> {
  const { consent } = consentFor({ ...run, consent: undefined }, draft, done);
  return consent === undefined ? {} : { consent, askedAgain: true };
}

/** Its ceiling in US dollars is higher than it was, or the price is that of other models. */
export const maySpendMore = (before: Asking, after: Asking): boolean =>
  (after.options.budget.usd ?? Number.POSITIVE_INFINITY) > (before.options.budget.usd ?? Number.POSITIVE_INFINITY) ||
  dearest(after) > dearest(before);

const dearest = (run: Asking): number => usualStepCost(modelsOfInstructions(run)) ?? 0;
