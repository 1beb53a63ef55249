/** Tests that the user gave: which cases of a run are theirs, and how many of them pass. Pure. */
import * as z from "zod";
import { isFoundByRunners } from "./locked-tests/paths.ts";
import type { TestCase, Verdict } from "./verdict.ts";

export const GivenCount = z.object({ passed: z.number().int().nonnegative(), total: z.number().int().nonnegative() });
export type GivenCount = z.infer<typeof GivenCount>;

/** How the given tests fare; undefined where the verdict does not tell all its cases. */
export function givenCount({ tests }: Verdict, given: readonly string[]): GivenCount | undefined {
  if (tests.cases.length < tests.passed + tests.failed + tests.errors + tests.skipped) return undefined;
  const theirs = tests.cases.filter((one) => given.some((path) => isOf(one, path)));
  return theirs.length === 0
    ? undefined
    : { passed: theirs.filter(({ status }) => status === "passed").length, total: theirs.length };
}

/**
 * Without these files what is left is what the run wrote itself. Beside what runners find by themselves, these are the
 * files that turn out to have cases, or to need what is not there; what such tests share stays for the others.
 */
export const givenToLeaveOut = ({ syntax, tests }: Verdict, given: readonly string[]): string[] =>
  given.filter(
    (path) =>
      isFoundByRunners(path) ||
      syntax.errors.some((error) => error.path === path) ||
      tests.cases.some((one) => isOf(one, path)),
  );

/** Test files of which the verdict says nothing. */
export const givenUnseen = ({ tests }: Verdict, given: readonly string[]): string[] =>
  given.filter((path) => isFoundByRunners(path) && !tests.cases.some((one) => isOf(one, path)));

/** `tests/test_a.py::test_b`, `test/a.test.js > adds`; unittest names the module: `tests.test_a.Case.test_b`. */
function isOf({ name }: TestCase, path: string): boolean {
  if (name.startsWith(path)) return !/^[\w./-]/.test(name.slice(path.length));
  if (!path.endsWith(".py")) return false;
  const parts = path.slice(0, -".py".length).split("/");
  // Only folders that are packages are in a module's name.
  return parts.some((_, from) => name.startsWith(`${parts.slice(from).join(".")}.`));
}
