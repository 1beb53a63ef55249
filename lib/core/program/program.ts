/** The stored program: what the run executes, one instruction after the other. */
import * as z from "zod";
import { defined } from "../defined.ts";
import { INSTRUCTION_BYTES, PROGRAM_INSTRUCTIONS, REQUIREMENT_BYTES, REQUIREMENT_ID_CHARS } from "../limits.ts";
import { MemoReference } from "../make/recalled-call.ts";
import { StepReference } from "../step/step-record.ts";
import { maskSecrets } from "../text/secrets.ts";
import { StuckReason } from "../turn/stuck.ts";
import { Amendment } from "../verdict/amendment.ts";
import { LaneStep } from "./ahead.ts";
import { Frame } from "./language/frames.ts";

export const Requirement = z.object({ id: z.string().regex(/^R\d+(\.\d+)*$/), text: z.string().min(1) });
export type Requirement = z.infer<typeof Requirement>;

/** How many words an instruction is to write; what is absent is open. */
export const WordRange = z.object({
  least: z.int().positive().optional(),
  most: z.int().positive().optional(),
});
export type WordRange = z.infer<typeof WordRange>;

export const DraftInstruction = z.object({
  title: z.string().min(1),
  text: z.string().min(1),
  requirements: z.array(z.string()),
  words: WordRange.optional(),
  /** By which others name it. */
  id: z.string().optional(),
  /** The instructions whose results it uses, by id. Absent: the one before. */
  needs: z.array(z.string()).optional(),
});
export type DraftInstruction = z.infer<typeof DraftInstruction>;

/** One instruction of any kind, as the language has it. */
export const TreeNode = z.looseObject({ kind: z.string() });
export type TreeNode = z.infer<typeof TreeNode>;

export const Draft = z.object({
  instructions: z.array(DraftInstruction).min(1).max(PROGRAM_INSTRUCTIONS),
  requirements: z.array(Requirement),
  /** The program as the language has it, if it has more kinds than `do`: `instructions` are then its leaves. */
  tree: z.array(TreeNode).optional(),
});
export type Draft = z.infer<typeof Draft>;

export const Inherited = z.object({
  run: z.string(),
  instruction: z.int(),
  turns: z.int(),
  microUsd: z.int(),
});
export type Inherited = z.infer<typeof Inherited>;

export const Instruction = DraftInstruction.extend({
  number: z.int().positive(),
  kind: z.enum(["do", "ask"]),
  /** Its place in a program with more kinds than `do`. */
  frames: z.array(Frame).optional(),
  /** It is a part of the step there, which was split. */
  isPart: z.literal(true).optional(),
  /** "trapped" is the stored name of "stuck". */
  status: z.enum(["waiting", "running", "accepted", "trapped", "skipped"]),
  turns: z.int(),
  microUsd: z.int(),
  milliseconds: z.int(),
  startedAt: z.string().optional(),
  /** Of the run, when it began. Absent in runs of earlier versions. */
  activeMsAtStart: z.int().optional(),
  acceptedAt: z.string().optional(),
  /** Of an `ask`: what can be answered, and the file that the answer becomes. */
  choices: z.array(z.string()).optional(),
  saveTo: z.string().optional(),
  /** The SHA-256 of that file. */
  answer: z.string().optional(),
  /** Why it is stuck, or was skipped. */
  trap: StuckReason.optional(),
  /** The hand-over: what the accepted call said. */
  summary: z.string().optional(),
  next: z.string().optional(),
  /** What could not be checked when it was accepted. */
  unchecked: z.array(z.string()),
  /** It was accepted without a change to any file. */
  unchanged: z.literal(true).optional(),
  /** Requirements that it serves, and that no evidence proved when it was accepted. */
  unproven: z.array(z.string()).optional(),
  /** What was red before the run began and is not any more, by its work. */
  mended: z.array(z.string()).optional(),
  /** Tests that were accepted before it, and that it was allowed to change. */
  amendments: z.array(Amendment).optional(),
  /** What the step depended on and wrote. Absent in runs of earlier versions. */
  step: StepReference.optional(),
  /** It was taken over from a step of another run, where that cost so much. */
  inherited: Inherited.optional(),
  /** What a lane did of it. Absent: nothing. */
  ahead: LaneStep.optional(),
  /** What was found when a step of another run was tried in its place, and was not kept. */
  tried: z.object({ body: z.string(), sha256: z.string() }).optional(),
  /** The steps of a call, one of which an earlier version tried in its place. */
  memo: MemoReference.optional(),
});
export type Instruction = z.infer<typeof Instruction>;

export const instructionOf = (draft: DraftInstruction, number: number): Instruction => ({
  ...draft,
  number,
  kind: "do",
  status: "waiting",
  turns: 0,
  microUsd: 0,
  milliseconds: 0,
  unchecked: [],
});

/** By their ids: R2 before R10. */
/** The part of a stored program that people write, and can change. */
export const draftOf = ({ instructions, requirements, tree }: Draft): Draft => ({
  instructions: instructions.map(({ title, text, requirements: served, words, id, needs }) => ({
    title,
    text,
    requirements: served,
    ...defined({ words, id, needs }),
  })),
  requirements: inOrder(requirements),
  ...(tree ? { tree } : {}),
});

export const inOrder = (requirements: Requirement[]): Requirement[] =>
  requirements.toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));

/** The first sentence of a text's first line, as a title. The words before a colon are seldom one: `Build: a shop`. */
export function titleOf(text: string): string {
  const line = maskSecrets(text.trim().split("\n", 1)[0] ?? "");
  const sentence = line.split(/(?<=[.;])\s/, 1)[0] ?? line;
  return sentence.length <= 80 ? sentence.replace(/[.:;]$/, "") : `${sentence.slice(0, 79)}…`;
}

export const tooLong = (instruction: DraftInstruction): boolean => jsonBytes(instruction) > INSTRUCTION_BYTES;

/** What is wrong with the size of a requirement. */
export function oversize(requirement: Requirement): string | undefined {
  const { id } = requirement;
  if (id.length > REQUIREMENT_ID_CHARS) return `Requirement ${id.slice(0, 20)}… has an id of ${id.length} characters.`;
  if (jsonBytes(requirement) <= REQUIREMENT_BYTES) return undefined;
  return `Requirement ${id} is longer than ${REQUIREMENT_BYTES} bytes; split it.`;
}

const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
