/** What a person changes of a run that goes on: its ceilings, its models, how it works; and a hint. */
import { defined } from "../../core/defined.ts";
import { UserError } from "../../core/errors.ts";
import { EXAMINED_FORMAT } from "../../core/evidence/evidence-kind.ts";
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Budget, RunOptions } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { ChosenProfile } from "../../core/turn/model-choice.ts";
import { examinersAsked, modelsAsked, withExaminers, withModels } from "../../core/turn/model-fallback.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { whyNoExaminer } from "./examiner-models.ts";

export interface Resumption {
  budget?: Budget;
  /** Help for the instruction at which it stopped. */
  hint?: string;
  options?: Partial<Pick<RunOptions, "effort" | "stream" | "onTrap" | "checkMinutes">>;
  /** Asked from here on. */
  models?: Extract<ChosenProfile, { profile: unknown }>;
  /** Asked for checks from here on. None: the run's own models. */
  examiners?: ModelProfile[];
}

export function resumptionPatch(run: Run, { budget, hint, options, models, examiners = [] }: Resumption): Partial<Run> {
  const own: Partial<Run> = models ? withModels(run, models.models ?? [models.profile]) : {};
  const examined = withExaminers({ ...run, ...own }, examiners);
  // An earlier version would ask the examiner's models for the instructions.
  const asked = { ...own, ...examined, ...(examiners.length > 0 ? ({ format: EXAMINED_FORMAT } as const) : {}) };
  const { baseUrl, apiVersion, ...others } = run.options;
  const server = models ? models.server : defined({ baseUrl, apiVersion });
  const first = models || examiners.length > 0 ? ceilingOfPriced(run, { ...run, ...asked }) : {};
  return {
    ...asked,
    ...(hint === undefined ? {} : { hint: maskSecrets(hint) }),
    options: { ...others, ...server, ...options, budget: { ...first, ...run.options.budget, ...budget } },
  };
}

/** A run whose cost was unknown has no ceiling in US dollars; from the first priced model on it has the usual one. */
const ceilingOfPriced = (before: Run, after: Run): Budget =>
  !isPriced(before) && isPriced(after) ? { usd: DEFAULT_BUDGET_USD } : {};

const isPriced = (run: Run): boolean => allAsked(run).every(({ price }) => price !== undefined);

const allAsked = (run: Run): ModelProfile[] => [...modelsAsked(run), ...examinersAsked(run)];

/** Why it cannot go on with these models. */
export function whyNotWith({ models, examiners }: Resumption, before: Run, after: Run): UserError | undefined {
  const noExaminer = examiners && whyNoExaminer(before);
  if (noExaminer || !(models ?? examiners)) return noExaminer;
  const wasRehearsal = before.profile.model === REHEARSAL;
  if (allAsked(after).some(({ model }) => (model === REHEARSAL) !== wasRehearsal)) {
    return refused("A rehearsal cannot be combined with other models.", "Start a new run with that model.");
  }
  return whyUnpriced(allAsked(after), after.options.budget);
}

/** Why a ceiling in US dollars cannot be kept with these models. */
export function whyUnpriced(models: readonly ModelProfile[], { usd }: Budget): UserError | undefined {
  const unknown = models.find(({ price }) => price === undefined);
  if (!unknown || usd === undefined) return undefined;
  const what = `No price is known for ${unknown.model}, so the budget of $${usd} cannot be enforced.`;
  return refused(what, "Give --price IN,OUT, or name a model whose price is known.");
}

const REHEARSAL = "rehearsal";

const refused = (problem: string, remedy: string): UserError =>
  new UserError(problem, { exitCode: 2, remedy, field: "model" });

/** What the event says of it. */
export function changesIn({
  hint,
  options = {},
  models,
  examiners = [],
}: Resumption): Omit<ResumedEvent, "type" | "epoch"> {
  const asked = models && namesOf(models.models ?? [models.profile]);
  const examinerModel = examiners.length > 0 ? namesOf(examiners) : undefined;
  const { effort, stream, onTrap: onStuck, checkMinutes } = options;
  return defined({ hint, model: asked, examinerModel, effort, stream, onStuck, checkMinutes });
}

const namesOf = (models: ModelProfile[]): string => models.map(({ model }) => model).join(",");

type ResumedEvent = Extract<EventBody, { type: "resumed" }>;
