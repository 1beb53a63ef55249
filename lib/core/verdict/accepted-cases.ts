/** The cases of the last accepted tree, by name: which passed, and what of that does not run any more. Pure. */
import * as z from "zod";
import { isOf } from "./given-tests.ts";
import type { Weakening } from "./locked-tests.ts";
import type { TestCase, Verdict } from "./verdict.ts";

export const AcceptedCases = z.object({
  /** Another runner has other names. */
  runner: z.string().optional(),
  passed: z.array(z.string()),
  skipped: z.array(z.string()),
});
export type AcceptedCases = z.infer<typeof AcceptedCases>;

/** Numbers and what is in brackets may be another at every run. */
const nameOf = ({ name }: Pick<TestCase, "name">): string => name.replaceAll(/\[[^\n]{0,1000}\]|\d+/g, "#");

/** Of all names together, in an item of the registry. Where there are more, only their number counts. */
const NAMES_CHARS = 100_000;

/** Undefined: the verdict does not list them all. Given tests are held to all of theirs anyway. */
export function acceptedCases({ tests }: Verdict, given: readonly string[]): AcceptedCases | undefined {
  if (tests.scope || tests.status === "not_run" || !areAllListed(tests)) return undefined;
  const own = tests.cases.filter((one) => !given.some((path) => isOf(one, path)));
  const names = (status: TestCase["status"]): string[] => [
    ...new Set(own.flatMap((one) => (one.status === status ? [nameOf(one)] : []))),
  ];
  const found = {
    ...(tests.runner ? { runner: tests.runner } : {}),
    passed: names("passed"),
    skipped: names("skipped"),
  };
  return JSON.stringify(found).length > NAMES_CHARS ? undefined : found;
}

const areAllListed = ({ cases, passed, failed, errors, skipped }: Verdict["tests"]): boolean =>
  cases.length >= passed + failed + errors + skipped;

export interface LostCasesInput {
  before: AcceptedCases | undefined;
  verdict: Verdict;
  /** Test files that this instruction changed, moved, deleted or amended: they may have other cases now. */
  touched: readonly string[];
}

/** Cases that passed and are skipped now, or not run at all, though their file is as it was. */
export function lostCases({ before, verdict: { tests }, touched }: LostCasesInput): Weakening[] {
  if (tests.status !== "passed" && tests.status !== "failed") return [];
  if (!before || tests.scope || tests.runner !== before.runner || !touched.every(isNamedByPath)) return [];
  const isTouched = (one: Pick<TestCase, "name">): boolean => touched.some((path) => isOf(one, path));
  const passed = new Set(before.passed);
  const skipped = tests.cases.filter((one) => one.status === "skipped" && passed.has(nameOf(one)) && !isTouched(one));
  const now = new Set(tests.cases.map(nameOf));
  const gone = areAllListed(tests) ? before.passed.filter((name) => !now.has(name) && !isTouched({ name })) : [];
  return [
    ...skipped.map(({ name }) => ({ path: name, message: "passed when it was accepted, and is skipped now" })),
    ...gone.map((name) => ({ path: name, message: "passed when it was accepted, and is not run any more" })),
  ];
}

/** Runners of other languages do not name the file of a case. */
const isNamedByPath = (path: string): boolean => /\.(?:py|[cm]?[jt]sx?)$/.test(path);

/** Of cases of an accepted version, in the place of the new one: what does not run as it did. `text`: of that version. */
export const isSkippedFromOutside = (one: TestCase, before: AcceptedCases | undefined, text: string): boolean =>
  one.status === "skipped" &&
  (before?.passed.includes(nameOf(one)) || !(before?.skipped.includes(nameOf(one)) || maySkip(text)));

/** Whether a test may leave itself out: by a word that some runner has for it. */
export const maySkip = (text: string): boolean => SKIPPING.test(text);
const SKIPPING =
  /skip|todo|xfail|expectedFailure|pending|ignore|disabled|incomplete|assum(?:e|ing|ption)|abort|\bx(?:it|test|describe|specify)\b|\.only\b/i;
