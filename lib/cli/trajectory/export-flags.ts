/** The flags of `l2mac export`. */
import type { Flag } from "../command.ts";

/** The first is the default. */
export const FORMATS = ["openai", "sharegpt", "atif"] as const;

export const FORMAT: Flag = {
  name: "--format",
  argument: "FORM",
  description: "openai or sharegpt, which are training data, or atif, a trajectory (default: openai)",
};
export const PROVEN: Flag = {
  name: "--proven",
  description: "Only steps that serve requirements which are all proven by evidence",
};
