/** A program of a request, with the programs that it calls by name: they are found once, and become part of it. */
import { isFoundByName } from "../core/program/language/calls/label.ts";
import { type CallAnswer, type LinkedProgram, linkCalls, linkSoon } from "../core/program/language/calls/link.ts";
import { type Finding, inWords } from "../core/program/language/finding.ts";
import { errorsIn } from "../core/program/language/lint/lint.ts";
import type { LintOptions } from "../core/program/language/lint/needs.ts";
import { visitNodes } from "../core/program/language/nodes.ts";
import { readProgramData } from "../core/program/language/read-program.ts";
import type { Program } from "../core/program/language/schema.ts";
import type { Draft } from "../core/program/program.ts";
import { draftOrErrors } from "../core/program/program-text.ts";
import { asFieldError, Refused } from "./problem.ts";
import type { RouteCall } from "./route.ts";

type NamingCall = Pick<RouteCall, "parts" | "context">;

const FIELD = "program";

export async function draftIn(call: NamingCall, data: unknown, options: LintOptions = {}): Promise<Draft> {
  const read = draftOrErrors(await linked(call, programIn(data)), options);
  if ("draft" in read) return read.draft;
  throw wrong(read.findings);
}

export function programIn(data: unknown): Program {
  const read = readProgramData({ data, placeOf: () => undefined });
  if ("program" in read) return read.program;
  throw wrong(read.findings);
}

export function wrong([first]: Finding[]): Refused {
  const problem = first ? inWords(first) : "It is no program.";
  return new Refused(400, `${FIELD}: ${problem}`, {
    fields: [{ field: FIELD, problem }],
    next: { command: "plan", args: ["--lint", "<file>"], note: "names all that is wrong" },
  });
}

/** `name`: its own, which nothing that it calls may call. */
export async function linked(call: NamingCall, program: Program, name?: string): Promise<LinkedProgram> {
  const isLinked = [...visitNodes(program)].every(({ node }) => node.kind !== "call" || node.body);
  if (isLinked) return { program, findings: [], called: [] };
  const origin = name === undefined ? {} : { origin: { key: name, name } };
  const found = new Map<string, CallAnswer>(name === undefined ? [] : [[name, foundAs(name, program)]]);
  return asFieldError(FIELD, () =>
    linkSoon(linkCalls(program, { lint: errorsIn, ...origin }), async ({ program: called }) => {
      const answer = found.get(called) ?? (await find(call, called));
      found.set(called, answer);
      return answer;
    }),
  );
}

async function find({ parts, context }: NamingCall, called: string): Promise<CallAnswer> {
  if (!isFoundByName(called))
    return { problem: `the program \`${called}\` is not here: only its name is.`, remedy: BODY };
  const named = await parts.programs?.find(context.caller, called);
  if (!named) return { problem: `there is no program \`${called}\` here.`, remedy: PUT };
  return foundAs(named.name, named.program);
}

const foundAs = (name: string, program: Program): CallAnswer => ({
  found: { key: name, name, program, placeOf: () => undefined },
});

const BODY = "Give its instructions as the body of the call; the command and the library read them from its file.";
const PUT = "`l2mac program put`, or PUT /programs/{name}, stores one.";
