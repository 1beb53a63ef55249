/** What a person changes of a run that goes on: its ceilings, its models, how it works; and a hint. */
import { defined } from "../../core/defined.ts";
import { UserError } from "../../core/errors.ts";
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Budget, RunOptions } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { ChosenProfile } from "../../core/turn/model-choice.ts";
import { modelsAsked, withModels } from "../../core/turn/model-fallback.ts";

export interface Resumption {
  budget?: Budget;
  /** Help for the instruction at which it stopped. */
  hint?: string;
  options?: Partial<Pick<RunOptions, "effort" | "stream" | "onTrap">>;
  /** Asked from here on. */
  models?: Extract<ChosenProfile, { profile: unknown }>;
}

export function resumptionPatch(run: Run, { budget, hint, options, models }: Resumption): Partial<Run> {
  const asked: Partial<Run> = models ? withModels(run, models.models ?? [models.profile]) : {};
  const { baseUrl, apiVersion, ...others } = run.options;
  const server = models ? models.server : defined({ baseUrl, apiVersion });
  const first = models ? ceilingOfPriced(run, { ...run, ...asked }) : {};
  return {
    ...asked,
    ...(hint === undefined ? {} : { hint: maskSecrets(hint) }),
    options: { ...others, ...server, ...options, budget: { ...first, ...run.options.budget, ...budget } },
  };
}

/** A run whose cost was unknown has no ceiling in US dollars; from the first priced model on it has the usual one. */
const ceilingOfPriced = (before: Run, after: Run): Budget =>
  !isPriced(before) && isPriced(after) ? { usd: DEFAULT_BUDGET_USD } : {};

const isPriced = (run: Run): boolean => modelsAsked(run).every(({ price }) => price !== undefined);

/** Why it cannot go on with these models. */
export function whyNotWith({ models }: Resumption, before: Run, after: Run): UserError | undefined {
  if (!models) return undefined;
  const wasRehearsal = before.profile.model === REHEARSAL;
  if (modelsAsked(after).some(({ model }) => (model === REHEARSAL) !== wasRehearsal)) {
    return refused("A rehearsal cannot be combined with other models.", "Start a new run with that model.");
  }
  const { usd } = after.options.budget;
  const unknown = modelsAsked(after).find(({ price }) => price === undefined);
  if (!unknown || usd === undefined) return undefined;
  const what = `No price is known for ${unknown.model}, so the budget of $${usd} cannot be enforced.`;
  return refused(what, "Give --price IN,OUT, or name a model whose price is known.");
}

const REHEARSAL = "rehearsal";

const refused = (problem: string, remedy: string): UserError =>
  new UserError(problem, { exitCode: 2, remedy, field: "model" });

/** What the event says of it. */
export function changesIn({ hint, options = {}, models }: Resumption): Omit<ResumedEvent, "type" | "epoch"> {
  const asked = models && (models.models ?? [models.profile]).map(({ model }) => model).join(",");
  const { effort, stream, onTrap: onStuck } = options;
  return defined({ hint, model: asked, effort, stream, onStuck });
}

type ResumedEvent = Extract<EventBody, { type: "resumed" }>;
