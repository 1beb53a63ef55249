/** `POST /runs/{id}/revise`: has the model revise the waiting program with a person's feedback. */
import * as z from "zod";
import { Feedback } from "../../core/run/hint.ts";
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const revise = route({
  name: "reviseProgram",
  description: "Has the model revise the waiting program, which then waits for approval again.",
  body: z.strictObject({ feedback: Feedback.describe("What is to change.") }),
  answers: { 202: { description: "The run, whose program is revised.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { runs, models } = call.parts;
    const run = await ownRun(call);
    const keyCommand = await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const revising = await asConflict(() => runs.revise(run.id, call.body.feedback));
    return { status: 202, json: acceptedOf(revising, call) };
  },
});
