/** `task.json`: the user's text, verbatim, with all that a run needs beside it and that is too large for the registry. */
import * as z from "zod";
import { Draft, Requirement } from "./program.ts";
import { PromptPack } from "./prompt.ts";

export const TaskDocument = z.object({
  task: z.string(),
  /** The prompts as they were at submission: a run's prompts do not change under it. */
  pack: PromptPack,
  requirements: z.array(Requirement),
  /** A program given by the user is executed as it is. */
  program: Draft.optional(),
});
export type TaskDocument = z.infer<typeof TaskDocument>;
