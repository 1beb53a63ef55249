/** `POST /runs/{id}/back`: submits a run that begins as this one stood before an instruction. */
import * as z from "zod";
import { submissionBefore } from "../../control/lifecycle/go-back.ts";
import { isRunName, RUN_NAME_CHARS } from "../../core/run/slug.ts";
import { RunSubmitted } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { derivedHeaders, submitDerived } from "../derived-run.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const isName = `It takes letters, digits, - _ and ., at most ${RUN_NAME_CHARS}.`;

export const BackBody = z.strictObject({
  to: z.int().min(1).describe("The instruction that the new run begins with."),
  name: z.string().refine(isRunName, isName).optional().describe("Of the new run; otherwise that of this run."),
});

export const back = route({
  name: "goBack",
  description: "Submits a new run with the program and the files as they were before an instruction of this run.",
  headers: derivedHeaders,
  body: BackBody,
  answers: { 202: { description: "The new run, which is being computed.", schema: RunSubmitted } },
  problems: [400, 403, 404, 409, 413, 415, 422],
  async handle(call) {
    const { parts, body } = call;
    const run = await ownRun(call);
    const keyCommand = await parts.models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const wayBack = { to: body.to, name: body.name ?? run.name };
    return submitDerived(call, { run, submission: await asConflict(() => submissionBefore(parts, run, wayBack)) });
  },
});
