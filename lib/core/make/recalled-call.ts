/**
 * What an earlier version stored where a run took over the steps of a call that another run had made. Nothing of it is
 * stored any more; runs that have it are shown and replayed, and those that were inside such a call go on.
 */
import * as z from "zod";
import { Step } from "../step/step.ts";

/** The steps of the call, copied beside the journal of the run that took them over. */
export const MemoSteps = z.object({ run: z.string(), steps: z.array(Step) });
export type MemoSteps = z.infer<typeof MemoSteps>;

/** On the item of each step for which one was tried. */
export const MemoReference = z.object({ body: z.string(), sha256: z.string() });
export type MemoReference = z.infer<typeof MemoReference>;

/** On the record of a run, while it was inside a call. */
export const MemoState = z.object({
  /** What it takes over. Absent: nothing was looked up. */
  of: MemoReference.optional(),
  /** The instruction whose checks began too late in an invocation: they begin once more in the next. */
  late: z.int().nonnegative().optional(),
});
export type MemoState = z.infer<typeof MemoState>;
