/** The flags of `l2mac export`. */
import type { Flag } from "../command.ts";

/** The first is the default. */
export const FORMATS = ["openai", "sharegpt", "atif", "otlp"] as const;

export const FORMAT: Flag = {
  name: "--format",
  argument: "FORM",
  description: "openai or sharegpt: training data; atif: a trajectory; otlp: a trace (default: openai)",
};
export const PROVEN: Flag = {
  name: "--proven",
  description: "Only steps that serve requirements which are all proven by evidence",
};
