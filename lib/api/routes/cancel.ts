/** `POST /runs/{id}/cancel`: stops a run and keeps accepted work. */
import * as z from "zod";
import { RunAccepted } from "../answers.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const cancel = route({
  name: "cancelRun",
  description: "Stops a run at its next commit. Its files are kept.",
  body: z.strictObject({}),
  answers: { 202: { description: "The run, which stops.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(call) {
    const { id } = await ownRun(call);
    return { status: 202, json: acceptedOf(await asConflict(() => call.parts.runs.cancel(id)), call) };
  },
});
