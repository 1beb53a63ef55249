/** `/runs/{id}/program`: the stored program, and, while it waits for approval, its replacement. */
import type * as z from "zod";
import { completed, replaceProgram } from "../../control/lifecycle/approval.ts";
import { type StoredProgram, storedProgram, versionOf } from "../../control/program/stored-program.ts";
import type { Draft } from "../../core/program/program.ts";
import { draftFromData } from "../../core/program/program-text.ts";
import type { Run } from "../../core/run/run.ts";
import { ProgramAnswer } from "../answers.ts";
import { about, badField, Refused, unlessConflict } from "../problem.ts";
import { type Asked, type Reply, route } from "../route.ts";
import { ownRun } from "../run-view.ts";
import { Program } from "../submission-body.ts";

export const showProgram = route({
  method: "GET",
  path: "/runs/{id}/program",
  name: "showProgram",
  says: "Shows the program and how far it is executed. Empty until the run is planned.",
  answers: {
    200: { says: "The program; the header etag names this version of its texts.", schema: ProgramAnswer },
    303: { says: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404],
  handle: async (asked) => programReply(await storedProgram(asked.parts, await ownRun(asked))),
});

export const putProgram = route({
  method: "PUT",
  path: "/runs/{id}/program",
  name: "replaceProgram",
  says: "Replaces the program while it waits for approval.",
  headers: { "if-match": { says: "The etag of the program that is to be replaced.", required: true } },
  body: Program,
  answers: {
    200: { says: "The program as it is now.", schema: ProgramAnswer },
    303: { says: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404, 409, 412, 413, 415, 428],
  async handle(asked) {
    const { parts, headers, body } = asked;
    const run = await ownRun(asked);
    const expected = headers.get("if-match");
    if (expected === null) throw new Refused(428, "The header if-match must say which program is to be replaced.");
    const program = await draftIn(asked, run, body);
    const was = (version: string): boolean => etagOf(version) === expected;
    const replaced = await unlessConflict(() => replaceProgram(parts, run.id, { program, was }));
    if (replaced === "changed") throw new Refused(412, "The program is not the one that if-match names.");
    return programReply(await storedProgram(parts, replaced));
  },
});

/** What another program than the planned one may be is known once its run is. */
export async function draftIn(
  { parts }: Pick<Asked, "parts">,
  run: Run,
  body: z.infer<typeof Program>,
): Promise<Draft> {
  const draft = draftFromData(body);
  if ("problem" in draft) throw badField("program", draft.problem);
  return about("program", () => completed(parts, run, draft));
}

const programReply = (program: StoredProgram): Reply => ({
  status: 200,
  json: program,
  headers: { etag: etagOf(versionOf(program)) },
});

const etagOf = (version: string): string => `"${version.slice(0, ETAG_DIGITS)}"`;

const ETAG_DIGITS = 32;
