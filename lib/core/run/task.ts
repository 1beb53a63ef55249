/** `task.json`: the user's text, verbatim, with all that a run needs beside it and that is too large for the registry. */
import * as z from "zod";
import { Frame } from "../program/language/frames.ts";
import { Draft, Requirement } from "../program/program.ts";
import { PromptPack } from "../prompt/prompt.ts";

const ForkRecord = z.object({
  run: z.string(),
  at: z.string(),
  /** The prompts before it, where it has others. */
  pack: PromptPack.optional(),
});

export const StoredTask = z.object({
  task: z.string(),
  /** The prompts as they were at submission: a run's prompts do not change under it. */
  pack: PromptPack,
  requirements: z.array(Requirement),
  /** Paths of the files that the user gave as tests: only the user changes them. */
  tests: z.array(z.string()).optional(),
  /** What the first instruction is handed over: of a run that began where another one stood. */
  handover: z.string().optional(),
  /** Where its program begins, if not at its first instruction. */
  frames: z.array(Frame).optional(),
  /** The version of a program that the user gave. */
  given: z.string().optional(),
  /** It was forked, perhaps from a fork. `program`: the version of the program before it, where it has another one. */
  forks: z.array(ForkRecord.extend({ program: z.string().optional() })).optional(),
});
export type StoredTask = z.infer<typeof StoredTask>;

/** With a program that the user gave: it is executed as it is. */
export const TaskDocument = StoredTask.omit({ given: true, forks: true }).extend({
  program: Draft.optional(),
  forks: z.array(ForkRecord.extend({ program: Draft.optional() })).optional(),
});
export type TaskDocument = z.infer<typeof TaskDocument>;
