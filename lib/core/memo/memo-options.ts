/** The option of remembered calls. Pure. */
import * as z from "zod";
import { optionRows } from "../run/option-row.ts";

export const memoOptions = {
  // Not for a project's own file: calls that are executed again are paid for.
  memo: z.boolean().default(true).register(optionRows, {
    flag: "--no-memo",
    isNegated: true,
    group: "execution",
    description: "Copy accepted calls of programs with the same arguments and files",
  }),
};
