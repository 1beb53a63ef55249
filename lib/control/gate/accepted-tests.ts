/** Runs the accepted versions of changed tests in place of the new ones: green means that nothing was weakened. */

import { isSkippedFromOutside } from "../../core/verdict/accepted-cases.ts";
import { holdsTests, isOf } from "../../core/verdict/given-tests.ts";
import type { Weakening } from "../../core/verdict/locked-tests.ts";
import { isFoundByRunners } from "../../core/verdict/test-paths.ts";
import type { TestCase, Verdict } from "../../core/verdict/verdict.ts";
import { testsWords } from "../../core/verdict/verdict-words.ts";
import type { CheckRequest } from "./evaluation.ts";
import type { AcceptedTest, LockedChanges } from "./test-lock.ts";

export interface AcceptedTestsInput {
  locked: LockedChanges;
  /** User tests whose turn has not come yet. */
  without: string[];
  check: (wanted: CheckRequest) => Promise<Verdict>;
}

export interface AcceptedTestsResult {
  weakened: Weakening[];
  /** Absent where nothing had to be run. */
  verdict?: Verdict;
  /** Their time ended before it was known. */
  isLate?: boolean;
}

/** The oldest locked version of each first; then the last accepted one, where that is another. */
export async function runAcceptedTests({ locked, ...input }: AcceptedTestsInput): Promise<AcceptedTestsResult> {
  const held = new Map(locked.held.map((test) => [test.path, test]));
  const oldest = [...held.values(), ...locked.accepted.filter(({ path }) => !held.has(path))];
  const result = await runVersions(oldest, { locked, ...input });
  const last = locked.accepted.filter(({ path, sha256 }) => held.has(path) && held.get(path)?.sha256 !== sha256);
  return result.weakened.length > 0 || result.isLate || last.length === 0
    ? result
    : runVersions(last, { locked, ...input });
}

async function runVersions(
  versions: AcceptedTest[],
  { locked: { added, cases }, without, check }: AcceptedTestsInput,
): Promise<AcceptedTestsResult> {
  const accepted = versions.filter(saysSomething);
  if (accepted.length === 0) return { weakened: [] };
  const paths = accepted.map(({ path }) => path);
  // What tests share can matter to any of them.
  const isAlone = paths.every(isFoundByRunners);
  const verdict = await check({ tests: isAlone ? { paths } : {}, restored: accepted, without });
  if (verdict.tests.reason === "out_of_time") return { weakened: [], verdict, isLate: true };
  const skipped = verdict.tests.cases.flatMap((one) => {
    const version = accepted.find(({ path }) => isOf(one, path));
    return version && isSkippedFromOutside(one, cases, decoder.decode(version.content))
      ? [{ path: version.path, message: `as it was accepted, ${one.name} ran, and is skipped now` }]
      : [];
  });
  if (isGreen(verdict) || skipped.length > 0) return { weakened: skipped, verdict };
  const others = [...added, ...without];
  const red = verdict.tests.cases.filter(isRed);
  const isWhole = verdict.tests.status === "failed" && red.length >= verdict.tests.failed + verdict.tests.errors;
  const weakened = red.filter((one) => !others.some((path) => isOf(one, path)));
  if (isWhole && red.length > 0) return { weakened: weakened.map((one) => failedAsAccepted(one, paths)), verdict };
  const message = `its accepted version cannot be run: ${testsWords(verdict.tests)}`;
  return { weakened: paths.map((path) => ({ path, message })), verdict };
}

/** Tests that leave themselves out say nothing, as when they were accepted. */
const isGreen = ({ tests: { status, cases } }: Verdict): boolean =>
  status === "passed" || (status === "not_found" && cases.length > 0 && cases.every((one) => one.status === "skipped"));

/** A file that runners look into and that holds no test has nothing to weaken. */
const saysSomething = ({ path, content }: AcceptedTest): boolean =>
  !isFoundByRunners(path) || holdsTests(path, decoder.decode(content));

const decoder = new TextDecoder();

const isRed = ({ status, known }: TestCase): boolean => !known && (status === "failed" || status === "error");

function failedAsAccepted(one: TestCase, paths: string[]): Weakening {
  const path = paths.find((each) => isOf(one, each)) ?? paths[0] ?? "";
  const [reason = ""] = (one.message ?? "").split("\n").filter((line) => line.trim() !== "");
  return { path, message: `as it was accepted, ${one.name} does not pass${reason === "" ? "" : `: ${reason.trim()}`}` };
}
