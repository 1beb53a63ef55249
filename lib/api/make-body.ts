/** The body of `POST /runs/{id}/make`: what is other than in the run, and the new run that it makes. */
import * as z from "zod";
import { resumptionPatch, whyNotWith, whyUnpriced } from "../control/lifecycle/resumption.ts";
import { type Made, makeRun } from "../control/make/make-run.ts";
import { defined } from "../core/defined.ts";
import { lintPack, type PromptPack } from "../core/prompt/prompt.ts";
import { bodyOptions, removedFields } from "../core/run/option-forms.ts";
import type { Run } from "../core/run/run.ts";
import { isRunName, RUN_NAME_CHARS } from "../core/run/slug.ts";
import { modelsAsked } from "../core/turn/model-fallback.ts";
import { chosenExaminers } from "./chosen-models.ts";
import { asConflict, badField } from "./problem.ts";
import { draftIn } from "./program-draft.ts";
import { ResumeBody, resumptionOf } from "./resume-body.ts";
import type { RouteCall } from "./route.ts";
import { Program } from "./submission-body.ts";

const text = z.string().refine((value) => value.isWellFormed(), "It holds half a character.");

export const MakeBody = ResumeBody.omit({ hint: true, onStuck: true }).extend({
  task: text.min(1).optional().describe("The task, in words. Absent: that of the run."),
  program: Program.optional().describe("The program. Absent: that of the run."),
  prompts: z.record(z.string(), text).optional().describe("A prompt pack: text by file name. Absent: that of the run."),
  strict: z.boolean().optional().describe("Execute each step again that depends on something that changed."),
  evidence: bodyOptions.evidence,
  ...removedFields,
  dryRun: z.boolean().optional().describe("Only answer what would be done, and what it may cost."),
  name: z
    .string()
    .refine(isRunName, `It takes letters, digits, - _ and ., at most ${RUN_NAME_CHARS}.`)
    .optional()
    .describe("Of the new run; otherwise that of this run."),
});
export type MakeBody = z.infer<typeof MakeBody>;

/** Before anything is stored or spent. */
export async function makeAsked(call: RouteCall<unknown, MakeBody>, run: Run): Promise<Made> {
  const { parts, body } = call;
  const { task, program, prompts: _prompts, strict, evidence, dryRun: isDryRun, name, ...more } = body;
  const { examinerModel, ...changes } = more;
  const resumption = await resumptionOf({ ...call, body: changes }, run, { isDryRun });
  const resumed = { ...run, ...resumptionPatch(run, resumption) };
  const options = withEvidence(resumed.options, evidence);
  const changed = { ...resumed, options };
  const examined = { options, models: modelsAsked(changed) };
  const { unpriced } = changes;
  const { examiners } = await chosenExaminers({ parts, examinerModel, wish: { unpriced, isDryRun } }, examined);
  const refused = whyNotWith(resumption, run, changed) ?? whyUnpriced(examiners, options.budget);
  const wish = {
    ...(examinerModel === undefined ? {} : { examiners }),
    name: name ?? run.name,
    task,
    strict,
    program: program === undefined ? undefined : await draftIn(call, program),
    pack: await packOf(call, run),
  };
  return asConflict(async () => {
    if (refused) throw refused;
    return makeRun(parts, changed, wish);
  });
}

/** Absent in a record is off. */
function withEvidence(
  { evidence: before, ...options }: Run["options"],
  said: Run["options"]["evidence"],
): Run["options"] {
  const evidence = said ?? before;
  return evidence === "off" ? options : { ...options, ...defined({ evidence }) };
}

async function packOf(
  { parts, body: { prompts } }: RouteCall<unknown, MakeBody>,
  run: Run,
): Promise<PromptPack | undefined> {
  if (!prompts) return undefined;
  const linted = lintPack(prompts, await parts.packs(run.options.domain));
  if ("problems" in linted) throw badField("prompts", linted.problems.slice(0, PROBLEMS_NAMED).join(" "));
  return linted.pack;
}

const PROBLEMS_NAMED = 10;
