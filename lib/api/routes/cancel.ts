/** `POST /runs/{id}/cancel`: stops a run. What is accepted stays. */
import * as z from "zod";
import { RunAccepted } from "../answers.ts";
import { unlessConflict } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, ownRun } from "../run-view.ts";

export const cancel = route({
  method: "POST",
  path: "/runs/{id}/cancel",
  name: "cancelRun",
  says: "Stops a run at its next commit. What it made is kept.",
  body: z.strictObject({}),
  answers: { 202: { says: "The run, which stops.", schema: RunAccepted } },
  problems: [400, 403, 404, 409, 413, 415],
  async handle(asked) {
    const { id } = await ownRun(asked);
    return { status: 202, json: acceptedOf(await unlessConflict(() => asked.parts.runs.cancel(id)), asked) };
  },
});
