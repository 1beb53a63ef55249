/** The library: the machine of this computer as functions. */
import type { Domain } from "./core/run/options.ts";
import { generate, plan as planTask } from "./library/generate.ts";
import type { ContentOptions, GenerateOptions, PlaceOptions } from "./library/options.ts";
import type { Generated } from "./library/result.ts";
import * as runs from "./library/runs.ts";

export { UserError } from "./core/errors.ts";
export type { Draft } from "./core/program/program.ts";
export type { Event } from "./core/run/event.ts";
export type { Run, RunReason, RunStatus } from "./core/run/run.ts";
export type { ComputeOptions, GenerateOptions, PlaceOptions } from "./library/options.ts";
export { type Cost, type Generated, RunFailed } from "./library/result.ts";
export type { ApproveOptions, ListOptions, ResumeOptions, WatchOptions } from "./library/runs.ts";
export { cancel, list, watch } from "./library/runs.ts";

/** Answers files as text, or with `bytes: true` as bytes. */
export interface Compute<Options> {
  (subject: string, options: Options & { bytes: true }): Promise<Generated<Uint8Array>>;
  (subject: string, options?: Options & { bytes?: false }): Promise<Generated>;
}

/** Which content the files have is decided by `bytes`, which the two signatures say. */
const typed = <Options>(
  work: (subject: string, options: Options & ContentOptions) => Promise<Generated<string | Uint8Array>>,
): Compute<Options> =>
  ((subject: string, options?: Options & ContentOptions) =>
    work(subject, options ?? ({} as Options & ContentOptions))) as Compute<Options>;

const ofDomain = (domain: Domain): Compute<GenerateOptions> =>
  typed((task, options) => generate(task, { ...options, domain }));

/** Writes a whole codebase. Throws RunFailed, with what is kept, where it does not get to the end. */
export const generateCodebase = ofDomain("codebase");

/** Writes a book: chapters, and the readable forms made of them. */
export const generateBook = ofDomain("book");

/** Whatever a prompt pack says. */
export const generateCustom = ofDomain("custom");

/** Has a program written, which then waits for approval: nothing of it is executed yet. */
export const plan: Compute<GenerateOptions & { domain?: Domain | undefined }> = typed((task, options) =>
  planTask(task, { ...options, domain: options.domain ?? "codebase" }),
);

/** Executes the program that waits, or another one in its place. */
export const approve: Compute<runs.ApproveOptions> = typed(runs.approve);

/** Answers the question that a run waits for, and goes on with it. */
export const answer: Compute<runs.AnswerOptions> = typed(runs.answer);

/** Goes on with a run that stopped. */
export const resume: Compute<runs.ResumeOptions> = typed(runs.resume);

/** The run as it is now, with what it delivers, or what of it is accepted so far. */
export const get: Compute<PlaceOptions> = typed(runs.get);
