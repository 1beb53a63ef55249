/** What is wrong with arguments, in words a small model can act on. Pure. */
import type { z } from "zod";
import { oneLine } from "../core/text/cut.ts";

export function problemsOf({ issues }: z.ZodError, given: unknown): string {
  const shown = issues.slice(0, SHOWN).map((issue) => `${problemOf(issue, given)}.`);
  if (issues.length > SHOWN) shown.push(`And ${issues.length - SHOWN} more of this kind.`);
  return shown.join(" ");
}

const SHOWN = 5;

function problemOf(issue: z.ZodError["issues"][number], given: unknown): string {
  const place = placeOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    return `${place} has no parameter ${issue.keys.map((key) => `"${oneLine(key, 60)}"`).join(", ")}`;
  }
  if (issue.code === "invalid_type") {
    const value = valueAt(given, issue.path);
    return value === undefined
      ? `${place} is missing`
      : `${place} must be ${article(issue.expected)}, not ${kindOf(value)}`;
  }
  if (issue.code === "too_small")
    return issue.origin === "array" || issue.origin === "string"
      ? `${place} must not be empty`
      : `${place} must be at least ${issue.minimum}`;
  if (issue.code === "too_big")
    return `${place} must be at most ${issue.maximum}${issue.origin === "array" ? " items" : ""}`;
  return `${place}: ${issue.message}`;
}

/** `files[0].path` */
const placeOf = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (place, key) => (typeof key === "number" ? `${place}[${key}]` : place ? `${place}.${String(key)}` : String(key)),
    "",
  ) || "The call";

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  let value = given;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return article(Array.isArray(value) ? "array" : typeof value);
}

const NAMES: Record<string, string> = {
  array: "a list",
  object: "an object",
  int: "a whole number",
  integer: "a whole number",
};
const article = (kind: string): string => NAMES[kind] ?? `a ${kind}`;
