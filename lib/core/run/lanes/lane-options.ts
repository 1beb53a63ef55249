/** The option of lanes. Pure. */
import * as z from "zod";
import { LANES } from "../../limits.ts";
import { optionRows } from "../option-row.ts";

export const laneOptions = {
  parallel: z.int().min(1).max(LANES).register(optionRows, {
    group: "execution",
    flag: "--parallel",
    argument: "N",
    description: "Execute up to N instructions side by side, 1 to 16 (default: 1)",
    inProject: "less",
  }),
};
