/** The named programs of the API as functions. */
import type { z } from "zod";
import { NamedProgramAnswer, NamedProgramRemoval, NamedProgramsAnswer, ProgramNameAnswer } from "../api/answers.ts";
import { dataOf } from "../core/program/language/program-data.ts";
import type { Program } from "../core/program/language/schema.ts";
import type { ProgramName } from "../core/program/named-programs.ts";
import type { Address } from "./address.ts";
import { type ApiCall, readAnswer } from "./ask.ts";
import type { Answer } from "./send.ts";

export type ShownProgram = z.infer<typeof NamedProgramAnswer>;

export interface NamedProgramCalls {
  /** By name. */
  namedPrograms(): Promise<ProgramName[]>;
  namedProgram(name: string): Promise<ShownProgram | undefined>;
  /** `replaces`: the hash of the program that it replaces; absent: the name must be new, or have this program. */
  putNamedProgram(put: { name: string; program: Program; replaces?: string | undefined }): Promise<PutProgram>;
  removeNamedProgram(name: string): Promise<void>;
}

export interface PutProgram extends ProgramName {
  isNew: boolean;
}

/** A server of this computer lets no page change anything without it. */
const AS_JSON = { "content-type": "application/json" };

/** Each call can be repeated: the same program under the same name changes nothing. */
export function createNamedProgramCalls(
  address: Address,
  ask: (asking: ApiCall) => Promise<Answer>,
): NamedProgramCalls {
  const pathOf = (name: string): string => `/programs/${encodeURIComponent(name)}`;
  return {
    namedPrograms: async () => readAnswer(address, await ask({ path: "/programs" }), NamedProgramsAnswer).programs,
    async namedProgram(name) {
      const answer = await ask({ path: pathOf(name) });
      return answer.status === 404 ? undefined : readAnswer(address, answer, NamedProgramAnswer);
    },
    async putNamedProgram({ name, program, replaces }) {
      const headers: Record<string, string> = replaces === undefined ? {} : { "if-match": `"${replaces}"` };
      const answer = await ask({ method: "PUT", path: pathOf(name), body: dataOf(program), headers });
      return { ...readAnswer(address, answer, ProgramNameAnswer), isNew: answer.status === CREATED };
    },
    async removeNamedProgram(name) {
      readAnswer(address, await ask({ method: "DELETE", path: pathOf(name), headers: AS_JSON }), NamedProgramRemoval);
    },
  };
}

const CREATED = 201;
