/** Conditions and checks: facts that the machine can find out, never opinions. */
import * as z from "zod";
import { Requirement } from "../program.ts";

/** Relative, with forward slashes, inside the project. It may hold `{{name}}` of a `for_each` around it. */
export const FilePath = z
  .string()
  .min(1)
  .max(512)
  .regex(/^(?![/\\])(?!(?:.*\/)?\.\.(?:\/|$))[^\\\0]+$/, "a path is relative, has forward slashes and no `..`");

const Pointer = z
  .string()
  .max(512)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, "a JSON pointer looks like `/scripts/test`");

const CONDITION_FORMS =
  "a condition is {argv: [program, arguments…]}, {tests: true}, {tests: [paths]}, {file, exists}, {file, pointer, equals}, {file, matches} or {requirement, proven: true}";

const Words = z.array(z.string().min(1).max(2_000)).min(1).max(100);

/** Each is one fact: the exit code of a command in the sandbox, tests, a file, or a proven requirement. */
export const Condition = z.union(
  [
    z.strictObject({ argv: Words.describe("Holds if the command ends with exit code 0 in the sandbox.") }),
    z.strictObject({ tests: z.union([z.literal(true), Words]).describe("Holds if all tests, or these, pass.") }),
    z.strictObject({ file: FilePath, exists: z.boolean() }),
    z.strictObject({ file: FilePath, pointer: Pointer, equals: z.json() }),
    z.strictObject({ file: FilePath, matches: z.string().min(1).max(1_000).describe("A regular expression.") }),
    z.strictObject({ requirement: Requirement.shape.id, proven: z.literal(true) }),
  ],
  CONDITION_FORMS,
);
export type Condition = z.infer<typeof Condition>;

export const ITEM_LIMIT = 10_000;

/** What a `for_each` goes through. */
export const Items = z.union(
  [
    z.array(z.json()).max(ITEM_LIMIT),
    z.strictObject({ glob: FilePath }),
    z.strictObject({ file: FilePath, pointer: Pointer.optional() }),
  ],
  "the items are a list, {glob: pattern}, or {file: path} of a file with a JSON list or one item a line",
);
export type Items = z.infer<typeof Items>;
