/** Submits a run that begins with what another one has: as it stood before an instruction, or as a fork of it. */
import type { z } from "zod";
import type { Submission } from "../control/lifecycle/submit.ts";
import type { Run } from "../core/run/run.ts";
import type { RunSubmitted } from "./answers.ts";
import { idempotencyOf } from "./prepare.ts";
import { asConflict, Refused } from "./problem.ts";
import type { RouteCall } from "./route.ts";
import { acceptedOf, linksOf } from "./run-view.ts";

export const derivedHeaders = {
  "idempotency-key": { description: "Any text of your own, at most 200 characters.", required: false },
};

export interface Derived {
  /** The other run. */
  run: Run;
  submission: Submission;
}

export async function submitDerived(call: RouteCall<unknown, object>, { run, submission }: Derived) {
  const { parts, body, context, headers } = call;
  const idempotency = idempotencyOf(headers, { caller: context.caller, body: { run: run.id, ...body } });
  const submitted = await asConflict(() => parts.runs.submit({ ...submission, owner: context.caller, ...idempotency }));
  if ("conflict" in submitted) {
    throw new Refused(422, "This idempotency key was used for another submission. Take a new one.", {
      fields: [{ field: "idempotency-key", problem: "It was used with another body." }],
    });
  }
  const { self } = linksOf(submitted.run.id, context);
  const json: z.infer<typeof RunSubmitted> = acceptedOf(submitted.run, call);
  return { status: 202 as const, json, headers: { location: self } };
}
