/** The language of programs: what a program file may hold. The types and the published JSON Schema come from here. */
import * as z from "zod";
import { Requirement, WordRange } from "../program.ts";
import { inForm, oneLine, plainText, readItem } from "../program-item.ts";
import { Condition, FilePath, ITEM_LIMIT, Items } from "./condition.ts";

/** Blocks inside blocks, in one file. */
export const BLOCK_DEPTH = 16;
/** Calls inside calls. */
export const CALL_DEPTH = 8;
/** Blocks and calls inside each other, with those of the programs that are called. */
export const NESTED_DEPTH = 2 * BLOCK_DEPTH;

const Id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    "an id has letters, digits, `.`, `_` and `-`, and at most 64 characters; in YAML, quote an id that looks like a number",
  );
const Name = z.string().regex(/^[a-z][A-Za-z0-9_]{0,39}$/, "a name begins with a small letter");
const AtMost = z.int().min(1).max(ITEM_LIMIT);
const Title = z.string().transform((title) => oneLine(title) || undefined);

/** What every instruction can have. */
const common = {
  id: Id.optional().describe("By which `needs` names it."),
  needs: z.array(Id).max(1_000).optional().describe("The instructions whose results it uses; absent: the one before."),
};
const block = { ...common, title: Title.optional() };

const Do = z
  .strictObject({
    kind: z.literal("do").optional(),
    ...common,
    title: z.string().optional(),
    text: z.string().optional(),
    requirements: z.array(Requirement.shape.id).optional().describe("The requirements that it serves."),
    words: WordRange.strict().optional().describe("How many words it writes."),
  })
  .transform(({ kind: _, title = "", text = "", requirements = [], words, ...own }) => ({
    kind: "do" as const,
    ...own,
    ...inForm({ title, text, requirements, ...(words ? { words } : {}) }),
  }));

type Body = z.ZodArray<typeof Item>;

const Group = z.strictObject({
  kind: z.literal("group"),
  ...block,
  get body(): Body {
    return z.array(Item).min(1);
  },
});
const If = z.strictObject({
  kind: z.literal("if"),
  ...block,
  condition: Condition,
  // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
  get then(): Body {
    return z.array(Item).min(1);
  },
  get else(): z.ZodOptional<Body> {
    return z.optional(z.array(Item).min(1));
  },
});
const ForEach = z.strictObject({
  kind: z.literal("for_each"),
  ...block,
  items: Items,
  as: Name.describe("`{{name}}` in the body stands for the item."),
  atMost: AtMost,
  get body(): Body {
    return z.array(Item).min(1);
  },
});
const Repeat = z.strictObject({
  kind: z.literal("repeat"),
  ...block,
  until: Condition,
  atMost: AtMost,
  otherwise: z.enum(["stop", "continue"]).optional().describe("After the last round; `stop` if absent."),
  get body(): Body {
    return z.array(Item).min(1);
  },
});
const Assert = z.strictObject({
  kind: z.literal("assert"),
  ...block,
  check: Condition,
  otherwise: z.enum(["repair", "stop"]),
});
const Ask = z.strictObject({
  kind: z.literal("ask"),
  ...block,
  question: z.string().max(8_000).transform(plainText).refine(Boolean, "the question is empty"),
  choices: z.array(z.string().min(1).max(200)).min(2).max(20).optional(),
  saveTo: FilePath,
});
const Call = z.strictObject({
  kind: z.literal("call"),
  ...block,
  program: z.string().min(1).max(512).describe("The file of the program, its name, or `sha256:` and its hash."),
  with: z.record(Name, z.json()).optional().describe("A value for each `{{name}}` that the program uses."),
  get body(): z.ZodOptional<Body> {
    return z.optional(z.array(Item).min(1)).describe("The instructions of the program, once its file was read.");
  },
});
export const ProgramNode = z.discriminatedUnion("kind", [Do, Group, If, ForEach, Repeat, Assert, Ask, Call]);
export type ProgramNode = z.infer<typeof ProgramNode>;
export type Kind = ProgramNode["kind"];

/** A text is read like an item of a Markdown list. */
const Item = z.union([z.string().transform((text) => ({ kind: "do" as const, ...readItem(text) })), ProgramNode]);

/** By id, or as a list. */
const Requirements = z.union([
  z.array(Requirement.strict()),
  z
    .record(Requirement.shape.id, Requirement.shape.text)
    .transform((byId) => Object.entries(byId).map(([id, text]) => ({ id, text }))),
]);

export const ProgramObject = z.strictObject({
  $schema: z.string().optional(),
  requirements: Requirements.optional(),
  instructions: z.array(Item),
});

/** What a file holds. */
export const ProgramFile = z.union([z.array(Item), ProgramObject]);

export interface Program {
  requirements: Requirement[];
  instructions: ProgramNode[];
}
