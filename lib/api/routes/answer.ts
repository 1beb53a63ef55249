/** `POST /runs/{id}/answers`: answers the question that a run waits for. */
import * as z from "zod";
import { Reply } from "../../core/program/reply.ts";
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const answer = route({
  name: "answerQuestion",
  description:
    "Answers the question that the run waits for, and the run continues. The same answer to the same step changes nothing when it comes again.",
  body: z.strictObject({
    step: z.int().positive().optional().describe("The instruction that asks. Absent: the one that asks now."),
    text: Reply.shape.text.describe("The answer; where there are choices, the text of one."),
    choice: Reply.shape.choice.describe("The number of a choice, from 1, instead of a text."),
  }),
  answers: { 202: { description: "The run, which is computed.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { runs, models } = call.parts;
    const run = await ownRun(call);
    const keyCommand = await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    return { status: 202, json: acceptedOf(await asConflict(() => runs.answer(run.id, call.body)), call) };
  },
});
