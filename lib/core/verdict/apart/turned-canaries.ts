/** What a verdict says of our tests that must fail. Pure. */
import { isOf } from "../given-tests.ts";
import type { TestCase, Verdict } from "../verdict.ts";

const DONE = ": fails, as it must";
const FORGED = ": passes, and must fail";
const UNSEEN = ": did not run";

/**
 * The verdict with these tests of ours turned round: what failed is as it must be and not counted; one that passed shows
 * that results are forged. What was turned round already stays as it is.
 */
export function withCanaries(verdict: Verdict, canaries: string[]): Verdict {
  const { tests } = verdict;
  const isOurs = (one: TestCase): boolean => canaries.some((canary) => isOf(one, canary) || isCalled(one, canary));
  const ours = tests.cases.filter((one) => isOurs(one) && !isTurned(one));
  if (ours.length === 0) return verdict;
  const cases = tests.cases.map((one) => (isOurs(one) && !isTurned(one) ? turned(one) : one));
  const count = (status: TestCase["status"]): number => ours.filter((one) => one.status === status).length;
  const counts = {
    passed: tests.passed - count("passed"),
    failed: tests.failed - count("failed"),
    errors: tests.errors - count("error"),
    skipped: tests.skipped - count("skipped"),
  };
  const isGreen = tests.status === "failed" && counts.failed + counts.errors === 0;
  const status = count("passed") > 0 ? TAMPERED : isGreen ? { status: "passed" as const } : {};
  return { ...verdict, tests: { ...tests, ...counts, ...status, cases, output: "" } };
}

const TAMPERED = {
  status: "crashed" as const,
  reason: "tampered",
  detail: "a test that must fail, which was laid beside the given ones, is reported as passed",
};

const isTurned = ({ name }: TestCase): boolean => [DONE, FORGED, UNSEEN].some((end) => name.endsWith(end));

function turned({ name, status }: TestCase): TestCase {
  if (status === "passed") return { name: `${name}${FORGED}`, status: "failed" };
  return status === "failed"
    ? { name: `${name}${DONE}`, status: "passed" }
    : { name: `${name}${UNSEEN}`, status: "skipped" };
}

/** `a/b > TestOne`, `tests/a.rs > module::one`, `a.OneTest > one()`. */
export function isCalled({ name }: Pick<TestCase, "name">, test: string): boolean {
  const last = name.split(/ > |::/).at(-1);
  return last === test || last === `${test}()`;
}

/** Those of them, files and names, of which no test failed as it must. */
export const notFailedOf = (cases: TestCase[], canaries: string[]): string[] => {
  const done = cases.flatMap(({ name }) => (name.endsWith(DONE) ? [{ name: name.slice(0, -DONE.length) }] : []));
  return canaries.filter((canary) => !done.some((one) => isOf(one, canary) || isCalled(one, canary)));
};
