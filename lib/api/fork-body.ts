/** The body of `POST /runs/{id}/fork`: where, and what is another from there on. */
import * as z from "zod";
import type { ForkRequest } from "../control/fork/submission-of-fork.ts";
import { ForkAt } from "../core/run/forks/fork-point.ts";
import type { Run } from "../core/run/run.ts";
import { isRunName, RUN_NAME_CHARS } from "../core/run/slug.ts";
import { packFrom } from "./prepare.ts";
import { draftIn } from "./program-draft.ts";
import { ResumeBody, resumptionOf } from "./resume-body.ts";
import type { RouteCall } from "./route.ts";
import { SubmissionBody } from "./submission-body.ts";

const { program, prompts } = SubmissionBody.shape;

export const ForkBody = z.strictObject({
  at: ForkAt.describe("`3`: after instruction 3. `3.2`: after the second turn of instruction 3, which stays open."),
  name: z
    .string()
    .refine(isRunName, `It takes letters, digits, - _ and ., at most ${RUN_NAME_CHARS}.`)
    .optional()
    .describe("Of the new run; otherwise that of this run."),
  program: program.describe("Replaces the instructions after that point."),
  prompts: prompts.describe("A prompt pack for what follows: text by file name."),
  ...ResumeBody.omit({ hint: true, examinerModel: true }).shape,
});
export type ForkBody = z.infer<typeof ForkBody>;

export async function forkRequestOf(call: RouteCall<unknown, ForkBody>, run: Run): Promise<ForkRequest> {
  const { at, name, program: given, prompts: files, ...changes } = call.body;
  const draft = given === undefined ? undefined : await draftIn(call, given, { follows: true });
  const pack = files && (await packFrom(call.parts, files, run.options.domain));
  return { ...(await resumptionOf({ ...call, body: changes }, run)), at, name: name ?? run.name, program: draft, pack };
}
