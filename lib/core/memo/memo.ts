/** A call of a program that is remembered for its owner: a later call of the same takes its steps over. */
import * as z from "zod";
import { InheritedStep } from "../make/inherited-steps.ts";

const count = z.number().int().nonnegative();

/** Where the steps of an accepted call are. The bytes are those of its run: what is remembered ends with the run. */
export const Memo = z.object({
  run: z.string(),
  first: count,
  last: count,
  /** When its last step was accepted. */
  at: z.string(),
});
export type Memo = z.infer<typeof Memo>;

/** The steps of such a call, copied beside the journal of the run that takes them over. */
export const MemoSteps = z.object({ run: z.string(), steps: z.array(InheritedStep) });
export type MemoSteps = z.infer<typeof MemoSteps>;

/** On the item of each step for which one was tried. */
export const MemoReference = z.object({ body: z.string(), sha256: z.string() });
export type MemoReference = z.infer<typeof MemoReference>;

/** On the record of a run, while it is inside a call that may be remembered. */
export const MemoState = z.object({
  /** The frames of the calls that it came into last, outermost first. */
  calls: z.array(count),
  /** What it takes over. Absent: nothing was looked up yet. */
  of: MemoReference.optional(),
  /** The instruction whose checks began too late in an invocation: they begin once more in the next. */
  late: count.optional(),
});
export type MemoState = z.infer<typeof MemoState>;
