/** A program from parsed JSON or YAML: a list of texts, a list of instructions, or both lists by name. Pure. */
import * as z from "zod";
import { type Draft, type DraftInstruction, Requirement, WordRange } from "./program.ts";
import { inForm, isRequirementId, oneLine, programProblem, readItem } from "./program-item.ts";

const Program = z.strictObject({
  instructions: z.array(z.unknown()),
  /** As a list, or by id. */
  requirements: z.union([z.array(Requirement), z.record(Requirement.shape.id, Requirement.shape.text)]).optional(),
});

const Item = z.strictObject({
  title: z.string().default(""),
  text: z.string().default(""),
  requirements: z.array(z.string()).default([]),
  words: WordRange.strict().optional(),
});

export function draftFromData(value: unknown): Draft | { problem: string } {
  const program = Program.safeParse(Array.isArray(value) ? { instructions: value } : value);
  if (!program.success) {
    return {
      problem: `A program is a list of instructions, or {requirements, instructions}: ${words(program.error)}.`,
    };
  }
  const instructions: DraftInstruction[] = [];
  for (const [index, item] of program.data.instructions.entries()) {
    const read = typeof item === "string" ? readItem(item) : fromObject(item);
    if ("problem" in read) return { problem: `${placeOf(index)}: ${read.problem}` };
    instructions.push(read);
  }
  const draft: Draft = { instructions, requirements: requirementList(program.data.requirements) };
  const problem = programProblem(draft, placeOf);
  return problem ? { problem } : draft;
}

const placeOf = (index: number): string => `instruction ${index + 1}`;

function fromObject(value: unknown): DraftInstruction | { problem: string } {
  const item = Item.safeParse(value);
  if (!item.success) return { problem: `it is a text, or {title, text, requirements}: ${words(item.error)}.` };
  const wrong = item.data.requirements.find((id) => !isRequirementId(id));
  if (wrong !== undefined) return { problem: `"${wrong}" is no requirement's id; ids look like R1 or R2.3.` };
  const { words: range, ...own } = item.data;
  return inForm(range ? { ...own, words: range } : own);
}

function requirementList(given: z.infer<typeof Program>["requirements"]): Requirement[] {
  const list = Array.isArray(given) ? given : Object.entries(given ?? {}).map(([id, text]) => ({ id, text }));
  return list.map(({ id, text }) => ({ id, text: oneLine(text) || id }));
}

const words = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")).join("; ");
