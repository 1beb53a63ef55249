/** What counts as the answer to a question. Pure. */
import * as z from "zod";
import { ANSWER_BYTES } from "../limits.ts";
import { oneLine } from "../text/cut.ts";
import { byteLength } from "../text/file-text.ts";
import { type AskingInstruction, CHOICE_CHARS } from "./question.ts";

/** What a person says: the text, or the number of a choice, from 1. */
export const Reply = z.object({ text: z.string().optional(), choice: z.int().optional() });
export type Reply = z.infer<typeof Reply>;

export interface GivenAnswer extends Reply {
  /** The instruction that asks. Absent: the one that asks now. */
  step?: number | undefined;
}

/** `field`: of the reply. */
export type ReadReply = { text: string } | { problem: string; field: "text" | "choice" };

/** The text that the reply stands for: with choices, one of them. */
export function readReply({ text, choice }: Reply, { choices }: Pick<AskingInstruction, "choices">): ReadReply {
  if (text !== undefined && choice !== undefined)
    return { problem: "An answer is a text or a choice, not both.", field: "choice" };
  if (choice !== undefined) return chosen(choice, choices);
  if (text === undefined || text.trim() === "") return { problem: "The answer is empty.", field: "text" };
  if (!text.isWellFormed() || text.includes("\0")) return { problem: "The answer is not plain text.", field: "text" };
  const bytes = byteLength(text);
  if (bytes > ANSWER_BYTES)
    return { problem: `The answer has ${bytes} bytes; at most ${ANSWER_BYTES} fit.`, field: "text" };
  if (!choices) return { text };
  const meant = choices.find((each) => folded(each) === folded(text));
  if (meant !== undefined) return { text: meant };
  return { problem: `The answer is none of the choices: ${listed(choices)}`, field: "text" };
}

const folded = (text: string): string => text.trim().toLowerCase();

function chosen(choice: number, choices: readonly string[] | undefined): ReadReply {
  if (!choices) return { problem: "The question has no choices: answer with a text.", field: "choice" };
  const text = choices[choice - 1];
  if (text !== undefined) return { text };
  return { problem: `There is no choice ${choice}: ${listed(choices)}`, field: "choice" };
}

const listed = (choices: readonly string[]): string =>
  `${choices.map((choice, index) => `${index + 1}) ${oneLine(choice, CHOICE_CHARS)}`).join(", ")}.`;

const encoder = new TextEncoder();

/** The file that has the answer: its text, with a line end behind it. */
export const answerFile = (text: string): Uint8Array => encoder.encode(text.endsWith("\n") ? text : `${text}\n`);
