/** The line with which a run begins: what is pasted into a report when something goes wrong. Pure. */
import type { Run } from "../../core/run/run.ts";
import { amount, pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { examinersAsked, modelsAsked } from "../../core/turn/model-fallback.ts";
import { protocolWords } from "./protocol-words.ts";

export interface Announced {
  run: Run;
  version: string;
  /** Of the model server. */
  host: string;
  /** Why this model, where none was chosen. */
  because?: string | undefined;
  /** Where it is computed, and what is true there. */
  places: string[];
}

export function announcement({ run, version, host, because, places }: Announced): string {
  const rehearsal = run.profile.model === "rehearsal";
  return sanitizeLine(
    [
      `l2mac ${version}`,
      `run ${run.id} (${run.name})`,
      rehearsal
        ? "rehearsal"
        : `model ${namesOf(modelsAsked(run))}${examinersOf(run)} at ${host}${because === undefined ? "" : `, because ${because}; --model changes it`}`,
      ...(rehearsal ? [] : [protocolWords(run.profile)]),
      `window ${amount(run.profile.contextWindow)}`,
      ...ceilings(run, rehearsal),
      ...places,
    ].join(" · "),
  );
}

const namesOf = (models: { model: string }[]): string => models.map(({ model }) => model).join(", then ");

function examinersOf(run: Run): string {
  const examiners = examinersAsked(run);
  return examiners.length === 0 ? "" : `, ${namesOf(examiners)} for the checks`;
}

/** A rehearsal costs nothing. */
function ceilings({ options: { budget } }: Run, isFree: boolean): string[] {
  const parts = [
    ...(budget.usd === undefined || isFree ? [] : [`$${budget.usd}`]),
    ...(budget.tokens === undefined ? [] : [`${amount(budget.tokens)} tokens`]),
    ...(budget.turns === undefined ? [] : [pluralize(budget.turns, "turn")]),
    ...(budget.minutes === undefined ? [] : [pluralize(budget.minutes, "minute")]),
  ];
  if (parts.length > 0) return [`at most ${parts.join(", ")}`];
  return isFree ? [] : ["no ceilings"];
}
