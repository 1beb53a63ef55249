/** The event with which the own work of a fork begins. */
import * as z from "zod";

export const ForkedEvent = z
  .object({
    type: z.literal("forked"),
    /** The run that it was forked from, and where. */
    run: z.string(),
    point: z.string(),
    /** Instructions that it inherits, and all turns; what they had cost there. */
    inherited: z.number(),
    turns: z.number(),
    microUsd: z.number(),
    /** Of its program. */
    instructions: z.number(),
  })
  .describe("All that the run inherits from the run that it was forked from is copied.");
