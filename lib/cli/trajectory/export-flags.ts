/** The flags of `l2mac export`. */
import type { Flag } from "../command.ts";

/** The first is the default. */
export const FORMATS = ["atif", "otlp"] as const;

/** What earlier versions wrote as training data. */
export const REMOVED_FORMATS: readonly string[] = ["openai", "sharegpt"];

export const FORMAT: Flag = {
  name: "--format",
  argument: "FORM",
  description: "atif: a trajectory; otlp: a trace (default: atif)",
};
export const PROVEN: Flag = {
  name: "--proven",
  description: "Only steps that serve requirements which are all proven by evidence",
};
