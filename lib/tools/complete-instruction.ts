/** Offers the instruction for acceptance. Its result is ok when the gate accepts. */
import * as z from "zod";
import { optional } from "./shape.ts";
import { defineTool } from "./tool.ts";

export const completeInstruction = defineTool({
  name: "complete_instruction",
  category: "end",
  description:
    "Ends the instruction: all checks run, and when they are green it is accepted. The summary is handed to the next instruction.",
  schema: z.strictObject({
    summary: z
      .string()
      .min(1)
      .describe(
        "what was built: names, interfaces and decisions that the next instruction builds on, and what is open",
      ),
    next: optional(z.string().describe("advice to the next instruction")),
  }),
  async run({ summary, next }, bench) {
    const { accepted, text, note } = await bench.complete({ summary, ...(next !== undefined && { next }) });
    return { ok: accepted, text, note, about: { kind: "verdict" } };
  },
});
