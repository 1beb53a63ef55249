/** The steps of another run that a run may take over: copied beside its task, so that the other run can be deleted. */
import * as z from "zod";
import { Step } from "../step/step.ts";
import { Verdict } from "../verdict/verdict.ts";

/** What a person answered to a question of the other run. */
export const InheritedAnswer = z.object({
  instruction: z.int(),
  /** Of the file that it became. */
  sha256: z.string(),
});
export type InheritedAnswer = z.infer<typeof InheritedAnswer>;

/** Steps whose instructions say the same, or the answers to one question, in their order. */
export const InheritedSteps = z.object({
  steps: z.array(Step),
  answers: z.array(InheritedAnswer).optional(),
});

export const Inheritance = z.object({
  from: z.string(),
  strict: z.literal(true).optional(),
  taken: z.int().optional(),
  /** Of each there is a file with its steps. */
  owns: z.array(z.string()),
});
export type Inheritance = z.infer<typeof Inheritance>;

/** What the gate found on the tree with a step that was not kept. */
export const TriedVerdicts = z.object({ verdicts: z.array(Verdict) });
