/** What `POST /runs` takes. */
import * as z from "zod";
import { TREE_FILES } from "../core/limits.ts";
import { Approve, Budget, Domain, OnStuck } from "../core/run/run.ts";
import { isRunName, RUN_NAME_CHARS } from "../core/run/slug.ts";
import { Price } from "../core/turn/model-profile.ts";
import { TOOL_NAMES } from "../core/turn/tool-name.ts";

const text = z.string().refine((value) => value.isWellFormed(), "It holds half a character.");

const Files = z.array(z.strictObject({ path: z.string(), content: text })).max(TREE_FILES);

const Instruction = z.union([
  text,
  z.strictObject({ title: text.optional(), text: text.optional(), requirements: z.array(z.string()).optional() }),
]);
const Requirements = z.union([
  z.array(z.strictObject({ id: z.string(), text })),
  z.record(z.string(), text).describe("By id."),
]);

export const Program = z.union(
  [z.array(Instruction), z.strictObject({ instructions: z.array(Instruction), requirements: Requirements.optional() })],
  "It is a list of instructions, or {instructions, requirements}; an instruction is a text, or {title, text, requirements}.",
);

export const SubmissionBody = z.strictObject({
  task: text.min(1).describe("What is to be made, in words."),
  domain: Domain.optional(),
  steps: z.number().int().min(1).max(10_000).optional().describe("The most instructions that the program may have."),
  reflect: z.number().int().min(0).max(5).optional().describe("How often the model looks at its program again."),
  program: Program.optional().describe("Is executed as it is, instead of planning one."),
  prompts: z.record(z.string(), text).optional().describe("A prompt pack: text by file name."),
  model: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      "A model, or several with commas between them: the next is asked where the one before it gives no answers. `rehearsal` plays a written scene: no key, no model, no cost.",
    ),
  tools: z.array(z.enum(TOOL_NAMES)).optional().describe("The only tools that the model is offered."),
  runTests: z.boolean().optional(),
  install: z
    .boolean()
    .optional()
    .describe("Whether packages that the project asks for are installed; the server may refuse to install any."),
  onTrap: OnStuck.optional().describe(
    "Whether an instruction that goes in circles stops the run (which it does unless said), or is skipped.",
  ),
  approve: Approve.optional().describe(
    "`plan`: the program waits for somebody to approve it before any of it is executed.",
  ),
  budget: Budget.strict().optional(),
  price: Price.strict().optional().describe("US dollars per million tokens."),
  unpriced: z.boolean().optional().describe("Accepts that the cost is unknown; no USD ceiling is kept."),
  contextWindow: z.number().int().min(1_024).max(100_000_000).optional(),
  seed: z.number().int().optional().describe("Passed to the model, for answers that repeat."),
  files: Files.optional().describe("Existing files to start from."),
  tests: Files.optional().describe(
    "Tests that the result must pass, laid over the files to start from; the model cannot change them.",
  ),
  uploads: z
    .strictObject({
      files: z.string().optional().describe("The id of an uploaded zip to start from."),
      tests: z.string().optional().describe("The id of an uploaded zip of tests."),
    })
    .optional(),
  name: z.string().refine(isRunName, `It takes letters, digits, - _ and ., at most ${RUN_NAME_CHARS}.`).optional(),
});
export type SubmissionBody = z.infer<typeof SubmissionBody>;
