/** `POST /runs/{id}/make`: submits a run of a changed program or task that takes over what is unchanged of this run. */
import { MakeAnswer, MakePlanAnswer } from "../answers.ts";
import { missingKey } from "../chosen-models.ts";
import { MakeBody, makeAsked } from "../make-body.ts";
import { idempotencyOf } from "../prepare.ts";
import { asConflict, Refused } from "../problem.ts";
import { route } from "../route.ts";
import { acceptedOf, linksOf, ownRun } from "../run-view.ts";

export const make = route({
  name: "makeRun",
  description:
    "Submits a new run of this one with a changed program, task, prompts or model. Steps that depend on nothing that changed are taken over without a model call.",
  headers: { "idempotency-key": { description: "Any text of your own, at most 200 characters.", required: false } },
  body: MakeBody,
  answers: {
    200: { description: "With `dryRun`: what would be done.", schema: MakePlanAnswer },
    202: { description: "The new run, which is being computed.", schema: MakeAnswer },
  },
  problems: [400, 403, 404, 409, 413, 415, 422],
  async handle(call) {
    const { parts, body, context, headers } = call;
    const run = await ownRun(call);
    const { submission, plan } = await makeAsked(call, run);
    if (body.dryRun) return { status: 200, json: { plan } };
    const keyCommand = body.model === undefined ? await parts.models.missingKey(run) : undefined;
    if (keyCommand !== undefined) throw missingKey(keyCommand);
    const idempotency = idempotencyOf(headers, { caller: context.caller, body: { make: run.id, ...body } });
    const submitted = await asConflict(() =>
      parts.runs.submit({ ...submission, owner: context.caller, ...idempotency }),
    );
    if ("conflict" in submitted) {
      throw new Refused(422, "This idempotency key was used for another submission. Take a new one.", {
        fields: [{ field: "idempotency-key", problem: "It was used with another body." }],
      });
    }
    const location = linksOf(submitted.run.id, context).self;
    return { status: 202, json: { ...acceptedOf(submitted.run, call), plan }, headers: { location } };
  },
});
