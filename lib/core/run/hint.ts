/** A hint: a sentence of help that a person gives the instruction at which a run stopped. Pure. */
import * as z from "zod";
import { HINT_CHARS } from "../limits.ts";

export const Hint = z
  .string()
  .trim()
  .min(1, "It is empty.")
  .max(HINT_CHARS, `At most ${HINT_CHARS} characters fit.`)
  .refine((text) => text.isWellFormed(), "It holds half a character.");
