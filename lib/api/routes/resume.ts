/** `POST /runs/{id}/resume`: goes on with a run that stopped, perhaps with higher ceilings. */
import * as z from "zod";
import { Budget } from "../../core/run/option-forms.ts";
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../prepare.ts";
import { unlessConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const resume = route({
  method: "POST",
  path: "/runs/{id}/resume",
  name: "resumeRun",
  says: "Goes on with a run that stopped. Ceilings that are given replace the run's own; each must be above what is used.",
  body: z.strictObject({ budget: Budget.strict().optional() }),
  answers: { 202: { says: "The run, which is computed from now on.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(asked) {
    const { runs, models } = asked.parts;
    const run = await ownRun(asked);
    const keyCommand = await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const resumed = await unlessConflict(() => runs.resume(run.id, asked.body.budget ?? {}));
    return { status: 202, json: acceptedOf(resumed, asked) };
  },
});
