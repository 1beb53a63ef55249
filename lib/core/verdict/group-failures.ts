/** Groups failures with the same message: one cause often fails many tests, and is shown once. Pure. */
import { sanitize } from "../text/sanitize.ts";
import type { TestCase } from "./verdict.ts";

export interface FailureGroup {
  first: TestCase;
  /** Those with the same message, in their order. */
  others: TestCase[];
}

export function groupFailures(cases: TestCase[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const one of cases) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.others.push(one);
    else groups.set(key, { first: one, others: [] });
  }
  return [...groups.values()];
}

/** Ignores lines and memory addresses. A failure without a message is a group of its own. */
function keyOf({ name, status, message }: TestCase): string {
  const said = sanitize(message ?? "")
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .join("\n")
    .replaceAll(/0x[0-9a-f]+/gi, "0x")
    .replaceAll(/:\d+(?::\d+)?(?=[\s:),]|$)/gm, ":")
    .replaceAll(/\bline \d+/g, "line")
    .trim();
  return said === "" ? `${status} ${name}` : `${status}\n${said}`;
}
