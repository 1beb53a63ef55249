/** The form of a new run: reads it as the body of `POST /runs`, and finds the fields that a problem is about. */
import type { RunView } from "../../../lib/api/answers.ts";
import { messageOf } from "../../../lib/core/errors.ts";
import { programData } from "../../../lib/core/program/program-text.ts";
import { toBody } from "../../../lib/core/run/option-forms.ts";
import { bodyFields, readOptions } from "../option-fields.ts";
import { readAmount } from "../read-amount.ts";
import { isRehearsal } from "../run-summary.ts";
import { Refused } from "./failures.ts";
import { readProgram, WrongProgram } from "./read-program.ts";
import { type Problems, WrongField } from "./wrong-field.ts";

const FIELDS = ["task", "model", "usd", "program"] as const;

export function readSubmission(form: FormData): Record<string, unknown> {
  const textOf = (name: string): string => String(form.get(name) ?? "").trim();
  const [task, model, usd, program] = FIELDS.map(textOf);
  if (!task) throw new WrongField("task", "Enter a task.");
  const read = readOptions(textOf);
  if ("problem" in read) throw new WrongField(read.field, read.problem);
  const { budget = {}, ...options } = toBody(read.options);
  const ceilings = { ...budget, ...(usd ? { usd: readDollars(usd) } : {}) };
  return {
    ...options,
    task,
    domain: textOf("domain"),
    ...(form.has("rehearse") ? { model: "rehearsal" } : model ? { model } : {}),
    ...(Object.keys(ceilings).length > 0 ? { budget: ceilings } : {}),
    ...(form.has("approve") ? { approve: "plan" } : {}),
    ...(program ? { program: programData(readProgram(program)) } : {}),
  };
}

/** A run that begins with the files of another one, in its domain. */
export function followingBody(run: RunView, form: FormData): Record<string, unknown> {
  const textOf = (name: string): string => String(form.get(name) ?? "").trim();
  const [task, model, usd] = ["task", "model", "usd"].map(textOf);
  if (!task) throw new WrongField("task", "Enter a task.");
  return {
    task,
    after: run.id,
    domain: run.options.domain,
    ...(isRehearsal(run) ? { model: "rehearsal" } : model ? { model } : {}),
    ...(usd ? { budget: { usd: readDollars(usd) } } : {}),
  };
}

function readDollars(text: string): number {
  const amount = readAmount(text, { field: "Ceiling in US dollars" });
  if ("problem" in amount) throw new WrongField("usd", amount.problem);
  return amount.value;
}

const isOwn = (field = ""): boolean => FIELDS.some((known) => known === field);

/** Where the API names a field differently. */
const API_FIELDS: Record<string, string> = {
  ...Object.fromEntries(Object.entries(bodyFields).filter(([field]) => !isOwn(field))),
  "budget.usd": "usd",
  budget: "usd",
};

const isShownField = (field: string): boolean => isOwn(field) || Object.values(API_FIELDS).includes(field);

/** A problem that is shown beside its field is not repeated below the form. */
export function problemsIn(error: unknown): Problems {
  if (error instanceof WrongField) return { fields: { [error.field]: error.message } };
  if (error instanceof WrongProgram) return { fields: { program: error.message } };
  if (!(error instanceof Refused)) return { detail: messageOf(error), fields: {} };
  const found = error.fields.map(({ field, problem }) => [API_FIELDS[field] ?? field, problem] as const);
  const isShown = found.length > 0 && found.every(([field]) => isShownField(field));
  return { ...(isShown ? {} : { detail: error.message }), fields: Object.fromEntries(found) };
}
