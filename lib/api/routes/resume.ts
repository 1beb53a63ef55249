/** `POST /runs/{id}/resume`: continues a run that stopped, with what the body changes of it. */
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { asConflict } from "../problem.ts";
import { ResumeBody, resumptionOf } from "../resume-body.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const resume = route({
  name: "resumeRun",
  description:
    "Continues a run that stopped. What the body has replaces the run's own; each ceiling must be above what is used.",
  body: ResumeBody,
  answers: { 202: { description: "The run, which is being computed.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { runs, models } = call.parts;
    const run = await ownRun(call);
    const resumption = await resumptionOf(call, run);
    const keyCommand = resumption.models ? undefined : await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const resumed = await asConflict(() => runs.resume(run.id, resumption));
    return { status: 202, json: acceptedOf(resumed, call) };
  },
});
