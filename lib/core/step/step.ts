/** A finished step: what it was asked, what it read and wrote, what it proved and cost. A source offers it to a run. */
import * as z from "zod";
import { Evidence } from "../evidence/evidence.ts";
import { Amendment } from "../verdict/amendment.ts";
import { StepRecord } from "./step-record.ts";

export const Step = z.object({
  /** In the run that executed it. */
  instruction: z.int(),
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
  turns: z.int(),
  microUsd: z.int(),
});
export type Step = z.infer<typeof Step>;
