/** What is kept of the last verdict, by kind of project, and what of it must be looked at again. Pure. */
import type { SyntaxResult, TestsResult } from "../language.ts";
import type { Digests } from "./changes.ts";

/** Text alone, and no more of it than the tree has files. */
export interface LastResults {
  digests: Digests;
  syntax: Map<string, LastSyntax>;
  tests: Map<string, LastTests>;
}

/** Nothing is wrong, or what is wrong lies in these files. */
export interface LastSyntax {
  status: "passed" | "failed" | "nothing";
  files: string[];
}

/** All passed but those of these files. */
export interface LastTests {
  runner: string;
  failing: string[];
}

/** Undefined: what it could not say, it has to be asked again. */
export function keptOfSyntax({ status, reason, errors, warnings = [] }: SyntaxResult): LastSyntax | undefined {
  const files = [...new Set([...errors, ...warnings].map(({ path }) => path))];
  if (status === "not_run" && reason === "nothing_to_check") return { status: "nothing", files };
  if (status === "passed") return { status, files };
  return status === "failed" && errors.length > 0 ? { status, files } : undefined;
}

/** These run each file for itself and name their cases by it. */
const SEPARATING = new Set(["pytest", "node --test"]);

/** `partial`: what was not run then had passed. */
export function keptOfTests(found: TestsResult, files: string[]): LastTests | undefined {
  const { status, runner, cases } = found;
  if (runner === undefined || !SEPARATING.has(runner)) return undefined;
  if (status === "passed") return { runner, failing: [] };
  const bad = cases.filter((one) => one.status === "failed" || one.status === "error");
  // Not all of them are listed, or what failed was no test.
  if (status !== "failed" || bad.length === 0 || bad.length < found.failed + found.errors) return undefined;
  const failing = new Set(bad.map(({ name }) => name.replace(/(?:::| > ).*$/s, "")));
  return [...failing].every((path) => files.includes(path)) ? { runner, failing: [...failing] } : undefined;
}
