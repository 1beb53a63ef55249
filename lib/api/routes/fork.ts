/** `POST /runs/{id}/fork`: submits a run that inherits what this one has computed up to a point, and goes on from there. */
import { submissionOfFork } from "../../control/fork/submission-of-fork.ts";
import { RunSubmitted } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { derivedHeaders, submitDerived } from "../derived-run.ts";
import { ForkBody, forkRequestOf } from "../fork-body.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

export const fork = route({
  name: "forkRun",
  description:
    "Submits a run that inherits all that this one computed up to a point, and goes on from there. What it inherits costs nothing.",
  headers: derivedHeaders,
  body: ForkBody,
  answers: { 202: { description: "The new run, which is being computed.", schema: RunSubmitted } },
  problems: [400, 403, 404, 409, 413, 415, 422],
  async handle(call) {
    const run = await ownRun(call);
    const asked = await forkRequestOf(call, run);
    const keyCommand = asked.models ? undefined : await call.parts.models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const submission = await asConflict(() => submissionOfFork(call.parts, run, asked));
    return submitDerived(call, { run, submission });
  },
});
