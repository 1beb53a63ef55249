/** `/programs`: the caller's programs that other programs call by name. */
import * as z from "zod";
import { isProgramName } from "../../core/program/language/calls/label.ts";
import { parametersOf } from "../../core/program/language/calls/parameters.ts";
import { errorAt } from "../../core/program/language/finding.ts";
import { errorsIn } from "../../core/program/language/lint/lint.ts";
import { dataOf } from "../../core/program/language/program-data.ts";
import type { NamedPrograms, ProgramName } from "../../core/program/named-programs.ts";
import { NamedProgramAnswer, NamedProgramRemoval, NamedProgramsAnswer, ProgramNameAnswer } from "../answers.ts";
import { asFieldError, Refused } from "../problem.ts";
import { linked, programIn, wrong } from "../program-draft.ts";
import { type RouteCall, route } from "../route.ts";
import { Program } from "../submission-body.ts";

const params = {
  name: z
    .string()
    .refine(isProgramName, "It takes letters, digits, - _ and ., at most 100, and no ending of a file.")
    .describe("The name by which programs call it."),
};

export const listPrograms = route({
  name: "listPrograms",
  description: "Lists the caller's named programs, which `call` finds when a program is submitted.",
  answers: { 200: { description: "All of them, by name.", schema: NamedProgramsAnswer } },
  problems: [400, 403, 404],
  handle: async (call) => ({ status: 200, json: { programs: await programsOf(call).list(call.context.caller) } }),
});

export const showNamedProgram = route({
  name: "showNamedProgram",
  description: "Shows a named program and its parameters.",
  params,
  answers: { 200: { description: "The program; the header etag has its hash.", schema: NamedProgramAnswer } },
  problems: [400, 403, 404, 500],
  async handle(call) {
    const { name } = call.params;
    const found = await asFieldError("name", () => programsOf(call).find(call.context.caller, name ?? ""));
    if (!found) throw noneOf(name);
    const { program, ...entry } = found;
    const json = { ...entry, parameters: [...parametersOf(program.instructions)], program: dataOf(program) };
    return { status: 200, json, headers: etagOf(entry) };
  },
});

export const nameProgram = route({
  name: "nameProgram",
  description:
    "Checks a program and stores it under a name of the caller. Programs that were submitted before keep the one that they found.",
  params,
  headers: { "if-match": { description: "The etag of the program to replace. Absent: none is.", required: false } },
  body: Program,
  answers: {
    200: { description: "The name has this program now, or had it before.", schema: ProgramNameAnswer },
    201: { description: "The name is new.", schema: ProgramNameAnswer },
  },
  problems: [400, 403, 404, 409, 412, 413, 415, 500],
  async handle(call) {
    const { name = "" } = call.params;
    const programs = programsOf(call);
    const program = programIn(call.body);
    await check(call, name);
    const replaces = expectedIn(call);
    const done = await asFieldError("program", () => programs.put(call.context.caller, { name, program, replaces }));
    if ("conflict" in done) throw conflictOf(name, { replaces, found: done.conflict });
    return { status: done.change === "created" ? 201 : 200, json: done.put, headers: etagOf(done.put) };
  },
});

export const removeProgram = route({
  name: "removeProgram",
  description: "Removes a named program. Runs that called it keep it.",
  params,
  headers: { "if-match": { description: "The etag of the program to remove.", required: false } },
  answers: { 200: { description: "It is removed.", schema: NamedProgramRemoval } },
  problems: [400, 403, 404, 412],
  async handle(call) {
    const { name = "" } = call.params;
    const removed = await programsOf(call).remove(call.context.caller, name, expectedIn(call));
    if (removed === "absent") throw noneOf(name);
    if (removed === "replaced") throw new Refused(412, `The program \`${name}\` is another one now; it was kept.`);
    return { status: 200, json: { name, status: "removed" } };
  },
});

function programsOf({ parts }: RouteCall): NamedPrograms {
  if (parts.programs) return parts.programs;
  throw new Refused(404, "This server keeps no named programs.");
}

/** As `plan --lint` checks it, with the programs that it calls; and what no program that is called may have. */
async function check(call: RouteCall, name: string): Promise<void> {
  const program = programIn(call.body);
  if (program.requirements.length > 0) throw wrong([errorAt(["requirements"], REQUIREMENTS)]);
  const { program: whole, findings } = await linked(call, program, name);
  const errors = [...findings, ...errorsIn(whole)];
  if (errors.length > 0) throw wrong(errors);
}

const REQUIREMENTS = "a program that is called has no requirements of its own: move them to the programs that call it.";

const etagOf = ({ sha256 }: ProgramName) => ({ etag: `"${sha256}"` });

/** Undefined: nothing is expected. */
function expectedIn({ headers }: RouteCall): string | undefined {
  const etag = headers.get("if-match");
  return etag === null ? undefined : etag.replace(/^"|"$/g, "");
}

function conflictOf(name: string, seen: { replaces: string | undefined; found: ProgramName | undefined }): Refused {
  const { replaces, found } = seen;
  if (replaces !== undefined) {
    const now = found ? "is another one now" : "is not there any more";
    return new Refused(412, `The program \`${name}\` ${now}; nothing was stored.`);
  }
  return new Refused(409, `There is another program \`${name}\`; it was kept.`, {
    next: { command: "program", args: ["put", name, "<file>", "--replace"], note: "replaces it" },
  });
}

const noneOf = (name = ""): Refused =>
  new Refused(404, `There is no program \`${name}\`.`, {
    next: { command: "program", args: ["list"], note: "shows what there is" },
  });
