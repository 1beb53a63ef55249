/** `POST /runs/{id}/resume`: continues a run that stopped, with higher ceilings if they are given. */
import * as z from "zod";
import { Budget } from "../../core/run/option-forms.ts";
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../prepare.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const resume = route({
  method: "POST",
  path: "/runs/{id}/resume",
  name: "resumeRun",
  description: "Continues a run that stopped. Given ceilings replace the run's own; each must be above what is used.",
  body: z.strictObject({ budget: Budget.strict().optional() }),
  answers: { 202: { description: "The run, which is being computed.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { runs, models } = call.parts;
    const run = await ownRun(call);
    const keyCommand = await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const resumed = await asConflict(() => runs.resume(run.id, call.body.budget ?? {}));
    return { status: 202, json: acceptedOf(resumed, call) };
  },
});
