/** What `write_program` takes for each instruction: one flat list, in which `inside` names the block around one. */
import * as z from "zod";
import { optional } from "../shape.ts";

/** The kinds that a planner can use. */
export const PLANNED_KINDS = ["do", "group", "if", "for_each", "repeat", "assert", "ask"] as const;

const KINDS =
  "absent: do. for_each: what is inside it, once for each of its items, as those in a file that an earlier instruction writes. repeat: what is inside it, then its condition, until that holds. if: one of two branches. assert: its condition must hold; otherwise it is repaired once, or the run stops. ask: a question that only the user can answer; the run waits, so ask rarely. group: a block to be needed";

const texts = () => z.array(z.string());

const plainValue = () => z.union([z.string(), z.number(), z.boolean()]);

const condition = z
  .strictObject({
    argv: optional(texts().describe("a command that ends with exit code 0")),
    tests: optional(texts().describe("tests that pass; empty: all of them")),
    file: optional(z.string().describe("with exists, with pointer and equals, or with matches")),
    exists: optional(z.boolean()),
    pointer: optional(z.string().describe("JSON pointer into the file")),
    equals: optional(plainValue()),
    matches: optional(z.string().describe("RE2 pattern")),
  })
  .describe("of if, repeat and assert: one fact that is checked");

const items = z
  .strictObject({
    list: optional(z.array(plainValue())),
    glob: optional(z.string()),
    file: optional(z.string().describe("with a JSON list, or an item a line")),
    pointer: optional(z.string()),
  })
  .describe("of for_each: one of list, glob and file");

export const PlannedInstruction = z.strictObject({
  title: z.string().min(1).describe("a few words"),
  text: z.string().min(1).describe("what is to be done, complete in itself; of ask: the question"),
  requirements: texts().describe("ids of the requirements it serves"),
  words: optional(
    z
      .strictObject({ least: optional(z.int().min(1)), most: optional(z.int().min(1)) })
      .describe("for prose: how many words the text has that it writes"),
  ),
  kind: optional(z.enum(PLANNED_KINDS).describe(KINDS)),
  id: optional(z.string().describe("a name for inside and needs")),
  inside: optional(z.string().describe("id of the group, if, for_each or repeat that holds it")),
  branch: optional(z.enum(["then", "else"]).describe("inside an if; absent: then")),
  needs: optional(texts().describe("ids of those whose results it uses; absent: the one before")),
  condition: optional(condition),
  items: optional(items),
  as: optional(z.string().describe("of for_each: the name of the item; {{name}} inside it is replaced by the item")),
  atMost: optional(z.int().min(1).describe("of for_each and repeat: most rounds")),
  otherwise: optional(
    z.enum(["repair", "stop", "continue"]).describe("assert: repair or stop; repeat: stop or continue"),
  ),
  choices: optional(texts().describe("of ask")),
  saveTo: optional(z.string().describe("of ask: the file for the answer")),
});
export type PlannedInstruction = z.infer<typeof PlannedInstruction>;
