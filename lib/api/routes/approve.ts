/** `POST /runs/{id}/approve`: says of a program that waits whether it is executed, perhaps with another one in its place. */
import * as z from "zod";
import { RunAccepted } from "../answers.ts";
import { missingKey } from "../prepare.ts";
import { badField, unlessConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";
import { Program } from "../submission-body.ts";
import { draftIn } from "./program.ts";

export const approve = route({
  method: "POST",
  path: "/runs/{id}/approve",
  name: "approveRun",
  says: "Approves the program of a run that waits for it, which is executed then, or rejects it, which ends the run.",
  body: z.strictObject({
    decision: z.enum(["approve", "reject"]),
    program: Program.optional().describe("Is executed in the place of the one that waits."),
  }),
  answers: { 202: { says: "The run, which is computed from now on, or has ended.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(asked) {
    const { runs, models } = asked.parts;
    const { decision, program } = asked.body;
    const run = await ownRun(asked);
    if (decision === "reject") {
      if (program !== undefined) throw badField("program", "What is rejected needs no other program.");
      return { status: 202, json: acceptedOf(await unlessConflict(() => runs.reject(run.id)), asked) };
    }
    const keyCommand = await models.missingKey(run);
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const draft = program === undefined ? undefined : await draftIn(asked, run, program);
    return { status: 202, json: acceptedOf(await unlessConflict(() => runs.approve(run.id, draft)), asked) };
  },
});
