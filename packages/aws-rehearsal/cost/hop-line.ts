/** Formats a hop as one line, with short names and ids. Pure. */
import type { Hop } from "../parts.ts";

export const lineOf = ({ from, to, what, answer }: Hop): string =>
  `${shown(from)} → ${shown(to)}: ${shortened(what)}, ${shortened(answer)}`;

const SERVICES: Record<string, string> = {
  dynamodb: "DynamoDB",
  s3: "S3",
  lambda: "Lambda",
  states: "Step Functions",
  secretsmanager: "Secrets Manager",
  caller: "you",
};

/** A role is shown as what has it: ControlUnitExecuteRole35362099 → Execute. */
export const shown = (name: string): string =>
  SERVICES[name] ??
  shortened(name)
    .replace(/[0-9A-F]{8}$/, "")
    .replace(/^(ControlUnit|Sweeper)(?=\w)/, "")
    .replace(/^Role$/, "control unit")
    .replace(/(Function|Role|FunctionRole)$/, "");

const shortened = (text: string): string =>
  text
    .replace(/\b[0-9A-HJKMNP-TV-Z]{22}([0-9A-HJKMNP-TV-Z]{4})\b/g, "…$1")
    .replace(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, "$1…")
    .replace(/\?X-Amz\S+/, "?(signed)")
    .replace(/([A-Z]\w+?)[0-9A-F]{8}-\w{12}\b/g, "$1");
