/** `/runs/{id}/program`: shows the program, and replaces it while it waits for approval. */
import type * as z from "zod";
import { completed, replaceProgram } from "../../control/lifecycle/approval.ts";
import { type StoredProgram, storedProgram, versionOf } from "../../control/program/stored-program.ts";
import type { Draft } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { ProgramAnswer } from "../answers.ts";
import { asConflict, asFieldError, Refused } from "../problem.ts";
import { draftIn } from "../program-draft.ts";
import { type Reply, type RouteCall, route } from "../route.ts";
import { ownRun } from "../run-view.ts";
import { Program } from "../submission-body.ts";

export const showProgram = route({
  name: "showProgram",
  description: "Shows the program and its progress. Empty until the run is planned.",
  answers: {
    200: { description: "The program; the header etag names this version of its texts.", schema: ProgramAnswer },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404],
  handle: async (call) => programReply(await storedProgram(call.parts, await ownRun(call))),
});

export const putProgram = route({
  name: "replaceProgram",
  description: "Replaces the program while it waits for approval.",
  headers: { "if-match": { description: "The etag of the program to replace.", required: true } },
  body: Program,
  answers: {
    200: { description: "The new program.", schema: ProgramAnswer },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404, 409, 412, 413, 415, 428],
  async handle(call) {
    const { parts, headers, body } = call;
    const run = await ownRun(call);
    const expected = headers.get("if-match");
    if (expected === null) throw new Refused(428, "The header if-match must name the program to replace.");
    const program = await completedDraft(call, run, body);
    const was = (version: string): boolean => etagOf(version) === expected;
    const replaced = await asConflict(() => replaceProgram(parts, run.id, { program, was }));
    if (replaced === "changed") throw new Refused(412, "The program is not the one that if-match names.");
    return programReply(await storedProgram(parts, replaced));
  },
});

/** Completed with the requirements of the run. */
export async function completedDraft(
  call: Pick<RouteCall, "parts" | "context">,
  run: Run,
  body: z.infer<typeof Program>,
): Promise<Draft> {
  const draft = await draftIn(call, body);
  return asFieldError("program", () => completed(call.parts, run, draft));
}

const programReply = (program: StoredProgram): Reply => ({
  status: 200,
  json: {
    ...program,
    instructions: program.instructions.map(({ step: _step, tried: _tried, ...shown }) => shown),
  },
  headers: { etag: etagOf(versionOf(program)) },
});

const etagOf = (version: string): string => `"${version.slice(0, ETAG_DIGITS)}"`;

const ETAG_DIGITS = 32;
