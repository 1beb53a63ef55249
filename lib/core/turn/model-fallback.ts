/** Which model of a run's list is asked: the first, until it gives no answers, and then the next for this instruction. Pure. */
import type { ModelErrorKind } from "../errors.ts";
import { FIRST_OUTPUT_TOKENS } from "../limits.ts";
import type { Run } from "../run/run.ts";
import type { ModelProfile } from "./model-profile.ts";

type ModelsOfRun = Pick<Run, "models" | "profile" | "asks" | "answerLimit">;

/** Its place in the list, from 0. */
export const currentModelIndex = ({ models = [], profile, asks }: ModelsOfRun): number =>
  asks ??
  Math.max(
    0,
    models.findIndex(({ model }) => model === profile.model),
  );

/** The place of the model that each instruction begins with: those before it were replaced. */
export const firstModelIndex = ({ models = [] }: Pick<Run, "models">): number =>
  Math.max(
    0,
    models.findLastIndex(({ replaces }) => replaces === true),
  );

/** The models that the run asks from now on. */
export const modelsAsked = (run: ModelsOfRun): ModelProfile[] =>
  run.models?.slice(firstModelIndex(run)) ?? [run.profile];

/** What replaced a model stands in for none. */
export function modelAfter(run: ModelsOfRun): ModelProfile | undefined {
  const next = run.models?.[currentModelIndex(run) + 1];
  return next?.replaces ? undefined : next;
}

/** What changes where another one is asked: sizes and speeds were measured of the one before it. */
export function modelPatch(run: ModelsOfRun, place: number): Partial<Run> {
  const profile = run.models?.[place];
  if (!profile || place === currentModelIndex(run)) return {};
  const limit = run.answerLimit === undefined ? {} : { answerLimit: FIRST_OUTPUT_TOKENS };
  // A name can be in the list twice, once a model was replaced.
  const asks = firstModelIndex(run) > 0 ? { asks: place } : {};
  return { profile, failures: 0, tokensPerByte: 0, tokensPerSecond: 0, ...asks, ...limit };
}

/** The first model of each instruction again. */
export const firstModelPatch = (run: ModelsOfRun): Partial<Run> => modelPatch(run, firstModelIndex(run));

/** These models replace those that were asked so far. */
export function withModels(run: ModelsOfRun & Pick<Run, "paid" | "microUsd">, asked: ModelProfile[]): Partial<Run> {
  if (isSameList(modelsAsked(run), asked)) return firstModelPatch(run);
  const before = run.models ?? [run.profile];
  const models = [...before, ...asked.map((each, at) => (at === 0 ? { ...each, replaces: true as const } : each))];
  const paid = run.paid ?? [run.microUsd];
  return { ...modelPatch({ ...run, models }, before.length), models, paid: models.map((_, at) => paid[at] ?? 0) };
}

const isSameList = (some: ModelProfile[], others: ModelProfile[]): boolean =>
  some.length === others.length && some.every((each, at) => identityOf(each) === identityOf(others[at]));

/** What is learned of a model meanwhile does not make it another. */
const identityOf = (profile: ModelProfile | undefined): string =>
  JSON.stringify([profile?.model, profile?.contextWindow, profile?.price?.input, profile?.price?.output]);

/** Another model may answer. It has the same key and is sent the same, so that no other refusal is worth a try. */
const ANOTHERS: ModelErrorKind[] = ["rate_limited", "quota", "unavailable"];
export const canFallBack = (kind: ModelErrorKind): boolean => ANOTHERS.includes(kind);

/** What each model of the list has cost. */
export function addModelCost(run: Pick<Run, "models" | "profile" | "paid">, microUsd: number): Pick<Run, "paid"> {
  if (!run.models) return {};
  const place = currentModelIndex(run);
  return { paid: run.models.map((_, index) => (run.paid?.[index] ?? 0) + (index === place ? microUsd : 0)) };
}
