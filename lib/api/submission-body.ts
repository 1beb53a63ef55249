/** The body of `POST /runs`. */
import * as z from "zod";
import { readGitAddress } from "../core/git/origin.ts";
import { TREE_FILES } from "../core/limits.ts";
import { WordRange } from "../core/program/program.ts";
import { bodyOptions } from "../core/run/option-forms.ts";
import { isRunName, RUN_NAME_CHARS } from "../core/run/slug.ts";

const text = z.string().refine((value) => value.isWellFormed(), "It holds half a character.");

const Files = z.array(z.strictObject({ path: z.string(), content: text })).max(TREE_FILES);

const Instruction = z.union([
  text,
  z.strictObject({
    title: text.optional(),
    text: text.optional(),
    requirements: z.array(z.string()).optional(),
    words: WordRange.strict().optional(),
    id: z.string().optional(),
    needs: z.array(z.string()).optional(),
  }),
  z.looseObject({ kind: z.string() }).describe("Of any kind of the language: see program.schema.json."),
]);
const Requirements = z.union([
  z.array(z.strictObject({ id: z.string(), text })),
  z.record(z.string(), text).describe("By id."),
]);

export const Program = z.union(
  [z.array(Instruction), z.strictObject({ instructions: z.array(Instruction), requirements: Requirements.optional() })],
  "It is a list of instructions, or {instructions, requirements}; an instruction is a text, {title, text, requirements, id, needs}, or {kind, …}.",
);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const SubmissionBody = z.strictObject({
  ...bodyOptions,
  task: text.min(1).describe("The task, in words."),
  program: Program.optional().describe("Executed as it is, instead of planning a program."),
  prompts: z.record(z.string(), text).optional().describe("A prompt pack: text by file name."),
  files: Files.optional().describe("Existing files to start from."),
  from: z
    .string()
    .superRefine((address, context) => {
      const read = readGitAddress(address);
      if ("problem" in read) context.addIssue({ code: "custom", message: `${sentence(read.problem)}.` });
    })
    .optional()
    .describe("A Git repository to start from: https://host/owner/repo, and #branch, #tag or #commit after it."),
  allowSecrets: z.boolean().optional().describe("Take files of `from` in whose text secrets were found."),
  push: z
    .boolean()
    .optional()
    .describe("Push each accepted step as a commit to a new branch of `from`; on GitHub, open a pull request."),
  tests: Files.optional().describe(
    "Tests that the result must pass, laid over the files to start from; the model cannot change them.",
  ),
  uploads: z
    .strictObject({
      files: z.string().optional().describe("The id of an uploaded zip to start from."),
      tests: z.string().optional().describe("The id of an uploaded zip of tests."),
    })
    .optional(),
  after: z.string().optional().describe("The id of an earlier run: this one starts from its latest accepted files."),
  name: z.string().refine(isRunName, `It takes letters, digits, - _ and ., at most ${RUN_NAME_CHARS}.`).optional(),
});
export type SubmissionBody = z.infer<typeof SubmissionBody>;
