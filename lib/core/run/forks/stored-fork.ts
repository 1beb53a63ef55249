/** `fork.json`: what a run that was forked begins with. Written before the run is there, and never changed. */
import * as z from "zod";
import { AcceptanceFacts } from "../../turn/acceptance-facts.ts";
import { StoredBaseline } from "../../verdict/known-red.ts";

const count = z.number().int().nonnegative();

export const StoredFork = z.object({
  /** The run that it was forked from. */
  run: z.string(),
  /** The last instruction of which something is inherited. */
  instruction: count,
  /** That instruction is open, and its turns up to this one are inherited. Absent: it is done. */
  turn: count.optional(),
  /** Of the open instruction: turns up to this one do not count for caps and loops. */
  forgivenTurn: count.optional(),
  /** Of the instructions that are done, so many were skipped. */
  skipped: count,
  /** The last split of an instruction, where it is inherited. */
  split: z.object({ first: count, last: count }).optional(),
  facts: AcceptanceFacts,
  /** How the starting tree was judged; its key is that of the other run. */
  baseline: StoredBaseline.optional(),
  /** The version of the whole program of the new run. */
  program: z.string(),
});
export type StoredFork = z.infer<typeof StoredFork>;
