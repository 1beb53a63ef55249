/** `POST /runs`: submits a task. */
import { RunSubmitted } from "../answers.ts";
import { readSubmission } from "../prepare.ts";
import { asConflict, Refused } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, linksOf } from "../run-view.ts";
import { SubmissionBody } from "../submission-body.ts";

export const submit = route({
  name: "submitRun",
  description: "Submits a task. The same idempotency key submits it once, however often it is sent.",
  headers: { "idempotency-key": { description: "Any text of your own, at most 200 characters.", required: false } },
  body: SubmissionBody,
  answers: { 202: { description: "The run, which is being computed.", schema: RunSubmitted } },
  problems: [400, 403, 409, 413, 415, 422],
  async handle(call) {
    const { submission, notes } = await readSubmission(call);
    const submitted = await asConflict(() => call.parts.runs.submit(submission));
    if ("conflict" in submitted) {
      throw new Refused(422, "This idempotency key was used for another submission. Take a new one.", {
        fields: [{ field: "idempotency-key", problem: "It was used with another body." }],
      });
    }
    const accepted = acceptedOf(submitted.run, call);
    const json = notes.length > 0 ? { ...accepted, notes } : accepted;
    return { status: 202, json, headers: { location: linksOf(submitted.run.id, call.context).self } };
  },
});
