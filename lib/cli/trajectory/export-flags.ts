/** The flags of `l2mac export`. */
import type { Flag } from "../command.ts";

/** The first is the default. */
export const FORMATS = ["openai", "sharegpt", "atif"] as const;

export const FORMAT: Flag = {
  name: "--format",
  argument: FORMATS.join("|"),
  description: "Training data in one of two forms, or a trajectory for other tools (default: openai)",
};
export const PROVEN: Flag = {
  name: "--proven",
  description: "Only steps that serve requirements which are all proven by evidence",
};
