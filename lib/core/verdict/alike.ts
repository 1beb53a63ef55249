/** Groups failures that say the same: one cause mostly makes many tests fail, and is read once. Pure. */
import { sanitize } from "../text/sanitize.ts";
import type { TestCase } from "./verdict.ts";

export interface Alike {
  first: TestCase;
  /** Those that say the same, in their order. */
  others: TestCase[];
}

export function alike(cases: TestCase[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const one of cases) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.others.push(one);
    else groups.set(key, { first: one, others: [] });
  }
  return [...groups.values()];
}

/** Where in its test each fails, and what lies where in memory, makes no difference. Who says nothing is like nobody. */
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
