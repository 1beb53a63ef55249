/** The steps of another run that a run may take over: copied beside its task, so that the other run can be deleted. */
import * as z from "zod";
import { Evidence } from "../evidence/evidence.ts";
import { Amendment } from "../verdict/amendment.ts";
import { Verdict } from "../verdict/verdict.ts";
import { StepRecord } from "./step-record.ts";

export const InheritedStep = z.object({
  /** In the other run. */
  instruction: z.number().int(),
  record: StepRecord,
  summary: z.string(),
  next: z.string().optional(),
  amendments: z.array(Amendment).optional(),
  /** The gate was asked more than once: nothing was changed, or something could not be checked. */
  insisted: z.literal(true).optional(),
  /** An earlier version wrote it of a lane: names the tree on which the step ran a check or a command. */
  checkedOn: z.string().optional(),
  /** What it proved, under the ids of the new run. Absent: nothing, an earlier version copied it, or a lane has it. */
  evidence: z.array(Evidence).optional(),
  turns: z.number().int(),
  microUsd: z.number().int(),
});
export type InheritedStep = z.infer<typeof InheritedStep>;

/** What a person answered to a question of the other run. */
export const InheritedAnswer = z.object({
  instruction: z.number().int(),
  /** Of the file that it became. */
  sha256: z.string(),
});
export type InheritedAnswer = z.infer<typeof InheritedAnswer>;

/** Steps whose instructions say the same, or the answers to one question, in their order. */
export const InheritedSteps = z.object({
  steps: z.array(InheritedStep),
  answers: z.array(InheritedAnswer).optional(),
});

export const Inheritance = z.object({
  from: z.string(),
  strict: z.literal(true).optional(),
  taken: z.number().int().optional(),
  /** Of each there is a file with its steps. */
  owns: z.array(z.string()),
});
export type Inheritance = z.infer<typeof Inheritance>;

/** What the gate found on the tree with a step that was not kept. */
export const TriedVerdicts = z.object({ verdicts: z.array(Verdict) });
