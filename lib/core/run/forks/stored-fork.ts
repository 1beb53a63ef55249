/** `fork.json`: what a run that was forked begins with. Written before the run is there, and never changed. */
import * as z from "zod";
import { count } from "../../count.ts";
import { MemoReference } from "../../make/recalled-call.ts";
import { Frame } from "../../program/language/frames.ts";
import { DraftInstruction } from "../../program/program.ts";
import { AcceptanceFacts } from "../../turn/acceptance-facts.ts";
import { StoredBaseline } from "../../verdict/known-red.ts";

/** What a program found out, as its event had it. */
export const InheritedCheck = z.object({
  instruction: count,
  place: z.string(),
  /** What was asked, names filled in. */
  text: z.string(),
  holds: z.boolean(),
  detail: z.string(),
  output: z.string().optional(),
});
export type InheritedCheck = z.infer<typeof InheritedCheck>;

/** Of a program with more kinds than `do`. */
const InheritedWalk = z.object({
  /** Of the last step of which something is inherited. */
  frames: z.array(Frame),
  /** What is left of that step: itself where it is open, and its later parts where it was split. */
  rest: z.array(DraftInstruction),
  isPart: z.literal(true).optional(),
  /** What led to the inherited steps. A replay takes it from here. */
  checks: z.array(InheritedCheck),
});

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
  /** What was found when a step of another run was tried in place of the open instruction. */
  tried: z.object({ body: z.string(), sha256: z.string() }).optional(),
  memo: MemoReference.optional(),
  walk: InheritedWalk.optional(),
  /** The version of the whole program of the new run. */
  program: z.string(),
});
export type StoredFork = z.infer<typeof StoredFork>;
