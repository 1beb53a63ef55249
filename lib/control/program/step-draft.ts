/** The step that a place of a program asks for, in words: names filled in, and the calls around it in its title. Pure. */
import { defined } from "../../core/defined.ts";
import { type CheckResult, repairOf } from "../../core/program/language/condition-text.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import type { Program, ProgramNode } from "../../core/program/language/schema.ts";
import { titleAt, titleInCalls } from "../../core/program/language/step-title.ts";
import { fillNode } from "../../core/program/language/substitute.ts";
import { type DraftInstruction, titleOf } from "../../core/program/program.ts";
import type { PlaceValues } from "./read-items.ts";

type AskNode = Extract<ProgramNode, { kind: "ask" }>;

export interface StepPlace {
  program: Program;
  frames: Frames;
  at: PlaceValues;
}

export function stepDraft(node: ProgramNode, { program, frames, at: { values, calls } }: StepPlace): DraftInstruction {
  const filled = fillNode(node, values);
  if (filled.kind !== "do") throw new Error(`\`${node.kind}\` is no step.`);
  const { title, text, requirements, words, id, needs } = filled;
  const named = titleAt(titleInCalls(title, calls), program, frames);
  return { title: named, text, requirements, ...defined({ words, id, needs }) };
}

/** Of a check that did not hold. */
export function repairDraft(
  node: ProgramNode,
  { program, frames, at: { values, calls } }: StepPlace,
  found: CheckResult,
): DraftInstruction {
  const filled = fillNode(node, values);
  if (filled.kind !== "assert") throw new Error(`\`${filled.kind}\` has nothing to repair.`);
  const { title, ...draft } = repairOf(filled, found);
  return { ...draft, title: titleAt(titleInCalls(title, calls), program, frames) };
}

export interface QuestionDraft extends Pick<AskNode, "question" | "choices" | "saveTo" | "id"> {
  title: string;
}

export function questionDraft(node: AskNode, { program, frames, at: { values, calls } }: StepPlace): QuestionDraft {
  const { title, question, choices, saveTo, id } = fillNode(node, values);
  const named = titleAt(titleInCalls(title ?? titleOf(question), calls), program, frames);
  return { title: named, question, choices, saveTo, id };
}
