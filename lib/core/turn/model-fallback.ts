/** Which model of a run's list is asked: the first, until it gives no answers, and then the next for this instruction. Pure. */
import type { ModelErrorKind } from "../errors.ts";
import { FIRST_OUTPUT_TOKENS } from "../limits.ts";
import type { Run } from "../run/run.ts";
import type { ModelProfile } from "./model-profile.ts";

type ModelsOfRun = Pick<Run, "models" | "profile" | "asks" | "answerLimit">;
type Listed = Pick<ModelProfile, "examines" | "replaces">;

/** Its place in the list, from 0. */
export const currentModelIndex = ({ models = [], profile, asks }: ModelsOfRun): number =>
  asks ??
  Math.max(
    0,
    models.findIndex(({ model }) => model === profile.model),
  );

/** The first that is asked, of those with one task: those before it were replaced. -1: there is none. */
function firstIndex(models: readonly Listed[], isIn: (each: Listed) => boolean): number {
  const replaced = models.findLastIndex((each) => isIn(each) && each.replaces === true);
  return replaced < 0 ? models.findIndex(isIn) : replaced;
}

const isExaminer = ({ examines }: Listed): boolean => examines === true;
const isOwn = (each: Listed): boolean => !isExaminer(each);

/** The place of the model that each instruction begins with. */
export const firstModelIndex = ({ models = [] }: Pick<Run, "models">): number => Math.max(0, firstIndex(models, isOwn));

/** The models that the run asks from now on. */
export const modelsAsked = (run: ModelsOfRun): ModelProfile[] =>
  run.models?.slice(firstModelIndex(run)).filter(isOwn) ?? [run.profile];

/** The models that are asked for checks. None: they are the run's own. */
export function examinersAsked({ models = [] }: Pick<Run, "models">): ModelProfile[] {
  const first = firstIndex(models, isExaminer);
  return first < 0 ? [] : models.slice(first).filter(isExaminer);
}

/** All that may execute an instruction, those that were replaced too. */
export const modelsOfInstructions = ({ models, profile }: Pick<Run, "models" | "profile">): ModelProfile[] =>
  models?.filter(isOwn) ?? [profile];

/** The list of a new run that asks the same models. */
export const listForNewRun = (own: ModelProfile[], examiners: ModelProfile[]): ModelProfile[] =>
  [...own, ...examiners].map(({ replaces: _replaces, ...each }) => each);

/** What replaced a model is no fallback, and an examiner's model is none of the run's. */
export function modelAfter(run: ModelsOfRun): ModelProfile | undefined {
  const place = currentModelIndex(run);
  const next = run.models?.[place + 1];
  return next?.replaces || next?.examines !== run.models?.[place]?.examines ? undefined : next;
}

/** What changes where another one is asked: sizes and speeds were measured of the one before it. */
export function modelPatch(run: ModelsOfRun, place: number): Partial<Run> {
  const profile = run.models?.[place];
  if (!profile || place === currentModelIndex(run)) return {};
  const limit = run.answerLimit === undefined ? {} : { answerLimit: FIRST_OUTPUT_TOKENS };
  // A name can be in the list twice, once a model was replaced, or where it examines too.
  const isTwice = firstModelIndex(run) > 0 || run.models?.some(isExaminer);
  const asks = isTwice ? { asks: place } : {};
  return { profile, failures: 0, tokensPerByte: 0, tokensPerSecond: 0, ...asks, ...limit };
}

/** The first model of each instruction again. */
export const firstModelPatch = (run: ModelsOfRun): Partial<Run> => modelPatch(run, firstModelIndex(run));

/** The first model of the examiner, where it has its own. */
export function examinerPatch(run: ModelsOfRun): Partial<Run> {
  const place = firstIndex(run.models ?? [], isExaminer);
  return place < 0 ? {} : modelPatch(run, place);
}

type ChangingRun = ModelsOfRun & Pick<Run, "paid" | "microUsd">;

/** These models replace those that were asked so far. An examiner of its own goes on. */
export function withModels(run: ChangingRun, asked: ModelProfile[]): Partial<Run> {
  const isExamining = run.models?.[currentModelIndex(run)]?.examines === true;
  if (isSameList(modelsAsked(run), asked)) return isExamining ? {} : firstModelPatch(run);
  const before = run.models ?? [run.profile];
  const added = withAdded(run, asked, true);
  return { ...(isExamining ? {} : modelPatch({ ...run, ...added }, before.length)), ...added };
}

/** These models write the checks from now on. */
export function withExaminers(run: ChangingRun & Pick<Run, "toExamine">, asked: ModelProfile[]): Partial<Run> {
  if (asked.length === 0 || isSameList(examinersAsked(run), asked)) return {};
  const before = run.models ?? [run.profile];
  const added = withAdded(run, asked, before.some(isExaminer));
  const hasBegun = run.toExamine?.after !== undefined;
  return { ...(hasBegun ? modelPatch({ ...run, ...added }, before.length) : {}), ...added };
}

/** At the end of the list, so that the places of the others stay. */
function withAdded({ models: before, profile, paid, microUsd }: ChangingRun, asked: ModelProfile[], replaces: boolean) {
  const added = asked.map((each, at) => (at === 0 && replaces ? { ...each, replaces: true as const } : each));
  const models = [...(before ?? [profile]), ...added];
  const costs = paid ?? [microUsd];
  return { models, paid: models.map((_, at) => costs[at] ?? 0) };
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
