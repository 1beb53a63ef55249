/** A question to a person: as the run's record and its events hold it. Pure. */
import * as z from "zod";
import type { Run } from "../run/run.ts";
import { oneLine } from "../text/cut.ts";
import type { Instruction } from "./program.ts";

/** As the run's record holds it: cut where it is long. The instruction has all of it. */
export const Question = z.object({
  /** The instruction that asks. */
  step: z.int().positive(),
  text: z.string(),
  choices: z.array(z.string()).optional(),
});
export type Question = z.infer<typeof Question>;

/** The instruction that asked, and the SHA-256 of the file that the answer becomes. */
export const StoredAnswer = z.object({ step: z.int(), sha256: z.string() });

/** The instruction at the program counter has asked a person, and has no answer yet. */
export const waitsForAnswer = ({ status, reason }: Pick<Run, "status" | "reason">): boolean =>
  status === "waiting" && reason === "answer";

export const isAnswered = ({ question, answer }: Pick<Run, "question" | "answer">): boolean =>
  question !== undefined && answer?.step === question.step;

export const AskedEvent = z
  .object({
    type: z.literal("asked"),
    instruction: z.number(),
    title: z.string(),
    question: z.string(),
    choices: z.array(z.string()).optional(),
    saveTo: z.string().describe("The file that the answer becomes."),
  })
  .describe("The program asks a person, and the run waits for the answer.");

export const AnsweredEvent = z
  .object({ type: z.literal("answered"), instruction: z.number(), title: z.string(), answer: z.string() })
  .describe("A person answered. A long answer is cut; the file has all of it.");

const TEXT_CHARS = 400;
export const CHOICE_CHARS = 40;

export type AskingInstruction = Pick<Instruction, "number" | "text" | "choices">;

export const shortQuestion = ({ number, text, choices }: AskingInstruction): Question => ({
  step: number,
  text: oneLine(text, TEXT_CHARS),
  ...(choices ? { choices: choices.map((choice) => oneLine(choice, CHOICE_CHARS)) } : {}),
});
