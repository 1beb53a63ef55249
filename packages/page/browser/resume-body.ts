/** Reads the form that resumes a run as the body of `POST /runs/{id}/resume`. */
import type { RunView } from "../../../lib/api/answers.ts";
import { toBody } from "../../../lib/core/run/option-forms.ts";
import { readOptions } from "../option-fields.ts";
import { resumeOptions } from "../resume-options.ts";
import { ceilingIn, needsMore, raiseOf } from "../run-summary.ts";
import { WrongField } from "./wrong-field.ts";

export function resumeBody(run: RunView, form: FormData): Record<string, unknown> {
  const textOf = (name: string): string => String(form.get(name) ?? "").trim();
  const ceiling = raisedCeiling(run, textOf("ceiling"));
  const read = readOptions(textOf, resumeOptions(run));
  if ("problem" in read) throw new WrongField(read.field, read.problem);
  const { budget: others, ...options } = toBody(read.options);
  const budget = { ...others, ...ceiling };
  const hint = textOf("hint");
  return {
    ...options,
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
    ...(hint === "" ? {} : { hint }),
  };
}

/** Empty: the run keeps its ceiling. */
function raisedCeiling(run: RunView, written: string): Record<string, number> {
  if (written === "" && !needsMore(run)) return {};
  const amount = ceilingIn(run, written);
  if ("problem" in amount) throw new WrongField("ceiling", amount.problem);
  return { [raiseOf(run).ceiling]: amount.value };
}
