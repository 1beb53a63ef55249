/** `/runs/{id}/program`: the stored program, and, while it waits for approval, its replacement. */
import * as z from "zod";
import { sha256 } from "../../control/digest.ts";
import { Instruction, Requirement } from "../../core/program.ts";
import { Refused } from "../problem.ts";
import { type Asked, route } from "../route.ts";
import { ownRun } from "../run-view.ts";
import { Program } from "../submission-body.ts";

const StoredProgram = z.object({ instructions: z.array(Instruction), requirements: z.array(Requirement) });

export const showProgram = route({
  method: "GET",
  path: "/runs/{id}/program",
  name: "showProgram",
  says: "Shows the program and how far it is executed. Empty until the run is planned.",
  answers: {
    200: { says: "The program; the header etag names this version of its texts.", schema: StoredProgram },
    303: { says: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(asked) {
    const program = await programOf(asked);
    return { status: 200, json: program, headers: { etag: etagOf(program) } };
  },
});

export const replaceProgram = route({
  method: "PUT",
  path: "/runs/{id}/program",
  name: "replaceProgram",
  says: "Replaces the program while it waits for approval.",
  headers: { "if-match": { says: "The etag of the program that is to be replaced.", required: true } },
  body: Program,
  answers: { 200: { says: "The program as it is now.", schema: StoredProgram } },
  problems: [400, 403, 404, 409, 412, 413, 415, 428],
  async handle(asked) {
    const expected = asked.headers.get("if-match");
    const program = await programOf(asked);
    if (expected === null) throw new Refused(428, "The header if-match must say which program is to be replaced.");
    if (expected !== etagOf(program)) throw new Refused(412, "The program is not the one that if-match names.");
    throw new Refused(409, "The program does not wait for approval, so that it cannot be replaced.");
  },
});

async function programOf(asked: Asked<unknown, unknown>): Promise<z.infer<typeof StoredProgram>> {
  const { id } = await ownRun(asked);
  const { registry } = asked.parts;
  const [instructions, requirements] = await Promise.all([registry.instructions(id), registry.requirements(id)]);
  return { instructions, requirements };
}

/** Of what people can change; how far it is executed does not make it another program. */
function etagOf({ instructions, requirements }: z.infer<typeof StoredProgram>): string {
  const texts = instructions.map(({ title, text, requirements: served }) => [title, text, served]);
  return `"${sha256(JSON.stringify([texts, requirements])).slice(0, ETAG_DIGITS)}"`;
}

const ETAG_DIGITS = 32;
