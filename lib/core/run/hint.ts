/** What a person tells a model: a hint for the instruction at which a run stopped, feedback on a program. Pure. */
import * as z from "zod";
import { FEEDBACK_CHARS, HINT_CHARS } from "../limits.ts";

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, "It is empty.")
    .max(most, `At most ${most} characters fit.`)
    .refine((text) => text.isWellFormed(), "It holds half a character.");

export const Hint = text(HINT_CHARS);
export const Feedback = text(FEEDBACK_CHARS);
