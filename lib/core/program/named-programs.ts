/** Programs that are kept under a name, for other programs to call. */
import * as z from "zod";
import type { Program } from "./language/schema.ts";

export const ProgramName = z.object({
  name: z.string(),
  /** Of its bytes. */
  sha256: z.string(),
  bytes: z.int().nonnegative(),
  /** When it was put. */
  at: z.string(),
});
export type ProgramName = z.infer<typeof ProgramName>;

export const StoredProgramName = ProgramName.extend({
  /** Where its bytes are in the file store. Each put has a place of its own. */
  body: z.string(),
});
export type StoredProgramName = z.infer<typeof StoredProgramName>;

export interface NamedProgram extends ProgramName {
  program: Program;
}

export interface ProgramPut {
  name: string;
  program: Program;
  /** The hash of the program that it replaces. Absent: there must be none of this name. */
  replaces?: string | undefined;
}

/** `conflict`: the program of this name, if there is one; nothing was changed. */
export type ProgramPutResult =
  | { put: ProgramName; change: "created" | "replaced" | "none" }
  | { conflict: ProgramName | undefined };

/** Each owner has names of its own. */
export interface NamedPrograms {
  /** By name. */
  list(owner: string): Promise<ProgramName[]>;
  /** By its name, or by `sha256:` and its hash. */
  find(owner: string, called: string): Promise<NamedProgram | undefined>;
  /** Without a change where the program of this name is the same. */
  put(owner: string, put: ProgramPut): Promise<ProgramPutResult>;
  /** `replaced`: another program has the name now than the one of this hash. */
  remove(owner: string, name: string, sha256?: string): Promise<"removed" | "absent" | "replaced">;
}

/** Of one owner. */
export const NAMED_PROGRAMS = 1_000;
