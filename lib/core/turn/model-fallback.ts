/** Which model of a run's list is asked: the first, until it gives no answers, and then the next for this instruction. Pure. */
import type { ModelErrorKind } from "../errors.ts";
import { FIRST_OUTPUT_TOKENS } from "../limits.ts";
import type { Run } from "../run/run.ts";
import type { ModelProfile } from "./model-profile.ts";

type ModelsOfRun = Pick<Run, "models" | "profile" | "answerLimit">;

/** Its place in the list, from 0. */
export const currentModelIndex = ({ models = [], profile }: ModelsOfRun): number =>
  Math.max(
    0,
    models.findIndex(({ model }) => model === profile.model),
  );

export const modelAfter = (run: ModelsOfRun): ModelProfile | undefined => run.models?.[currentModelIndex(run) + 1];

/** What changes where another one is asked: sizes and speeds were measured of the one before it. */
export function modelPatch(run: ModelsOfRun, place: number): Partial<Run> {
  const profile = run.models?.[place];
  if (!profile || profile.model === run.profile.model) return {};
  const limit = run.answerLimit === undefined ? {} : { answerLimit: FIRST_OUTPUT_TOKENS };
  return { profile, failures: 0, tokensPerByte: 0, tokensPerSecond: 0, ...limit };
}

/** Another model may answer. It has the same key and is sent the same, so that no other refusal is worth a try. */
const ANOTHERS: ModelErrorKind[] = ["rate_limited", "quota", "unavailable"];
export const canFallBack = (kind: ModelErrorKind): boolean => ANOTHERS.includes(kind);

/** What each model of the list has cost. */
export function addModelCost(run: Pick<Run, "models" | "profile" | "paid">, microUsd: number): Pick<Run, "paid"> {
  if (!run.models) return {};
  const place = currentModelIndex(run);
  return { paid: run.models.map((_, index) => (run.paid?.[index] ?? 0) + (index === place ? microUsd : 0)) };
}
