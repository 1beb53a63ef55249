/** Where a program is, as the run's record holds it. Pure. */
import * as z from "zod";
import { count } from "../../count.ts";

export const Frame = z.object({
  /** The instruction's place in its list, from 0. */
  at: count,
  /** Of a block that runs: which round, or which of its lists, from 1. Of an `assert`: 1 once it was repaired. */
  round: count.optional(),
  /** Of a `for_each` that runs: how many items it has. */
  of: count.optional(),
  /** Of a `call` that runs: its label. */
  call: z.string().optional(),
  /** Where its items are stored, if they come from files: these stay the same while it runs. */
  list: z.string().optional(),
});
export type Frame = z.infer<typeof Frame>;

/** The instruction, and the blocks around it, outermost first. */
export type Frames = readonly Frame[];

/** A run's way through a program that has more kinds than `do`. Each step on it is an instruction of the run. */
export const Walk = z.object({
  /** The version of the program, under which the file store has it. */
  program: z.string(),
  frames: z.array(Frame),
  /** The instruction at `frames` is a step of the run already. */
  hasStep: z.literal(true).optional(),
  /** The program is at its end. */
  ended: z.literal(true).optional(),
});
export type Walk = z.infer<typeof Walk>;
