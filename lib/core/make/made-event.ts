/** What became of a step that could be taken over from another run. */
import * as z from "zod";

export const MadeEvent = z
  .object({
    type: z.literal("made"),
    instruction: z.number(),
    title: z.string(),
    /** Taken over as it was, kept because checks ran its code on the new tree and passed, or executed again. */
    decision: z.enum(["copied", "kept", "executed"]),
    why: z.string(),
    /** The run, and its step, that had the same call. Absent: of the run that this one was made of. */
    from: z.object({ run: z.string(), instruction: z.number().optional() }).optional(),
    /** What the step that was taken over cost in the other run. */
    saved: z.object({ turns: z.number(), microUsd: z.number() }).optional(),
  })
  .describe("Whether the step of another run is taken over.");
export type MadeEvent = z.infer<typeof MadeEvent>;
