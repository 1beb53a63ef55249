/** The library: the machine of this computer as three functions. */
import { type Generated, generate } from "./generate.ts";
import type { GenerateOptions } from "./generate-options.ts";

export { UserError } from "./core/errors.ts";
export type { Draft } from "./core/program/program.ts";
export type { Event } from "./core/run/event.ts";
export type { Run, RunReason, RunStatus } from "./core/run/run.ts";
export { type Cost, type Generated, RunFailed } from "./generate.ts";
export type { GenerateOptions } from "./generate-options.ts";

/** Writes a whole codebase. Throws RunFailed, with what is kept, where it does not get to the end. */
export const generateCodebase = (task: string, options: GenerateOptions = {}): Promise<Generated> =>
  generate(task, { ...options, domain: "codebase" });

/** Writes a book: chapters, and the readable forms made of them. */
export const generateBook = (task: string, options: GenerateOptions = {}): Promise<Generated> =>
  generate(task, { ...options, domain: "book" });

/** Whatever a prompt pack says. */
export const generateCustom = (task: string, options: GenerateOptions = {}): Promise<Generated> =>
  generate(task, { ...options, domain: "custom" });
