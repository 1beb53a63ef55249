/** `POST /runs/{id}/approve`: approves or rejects the waiting program, or replaces and approves it. */
import * as z from "zod";
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { asConflict, badField } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";
import { Program } from "../submission-body.ts";
import { completedDraft } from "./program.ts";

export const approve = route({
  name: "approveRun",
  description: "Approves the waiting program, which is then executed, or rejects it, which ends the run.",
  body: z.strictObject({
    decision: z.enum(["approve", "reject"]),
    program: Program.optional().describe("Executed instead of the waiting program."),
  }),
  answers: { 202: { description: "The run, which is computed or has ended.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { runs, models } = call.parts;
    const { decision, program } = call.body;
    const run = await ownRun(call);
    if (decision === "reject") {
      if (program !== undefined) throw badField("program", "A rejection takes no program.");
      return { status: 202, json: acceptedOf(await asConflict(() => runs.reject(run.id)), call) };
    }
    const keyCommand = await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const draft = program === undefined ? undefined : await completedDraft(call, run, program);
    return { status: 202, json: acceptedOf(await asConflict(() => runs.approve(run.id, draft)), call) };
  },
});
