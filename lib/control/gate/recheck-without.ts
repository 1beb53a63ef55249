/** The checks of an instruction once more, without tests whose turn has not come. */
import { givenToLeaveOut, isOf } from "../../core/verdict/given-tests.ts";
import { isBroken, type Verdict } from "../../core/verdict/verdict.ts";
import type { GateInput } from "./run-gate.ts";

interface RecheckInput extends Pick<GateInput, "given" | "examined" | "settings" | "check"> {
  /** No instruction comes after it. */
  isLast: boolean;
}

/**
 * Before the last instruction the code that a given test is about may not be there yet. What the run wrote itself has to
 * pass all the same: it is run without the given tests, where it does not pass with them. Checks of the examiner that are
 * red are left out to the end: evidence says what comes of that.
 */
export async function recheckWithout(
  { given, examined, isLast, settings, check }: RecheckInput,
  verdict: Verdict,
): Promise<Verdict | undefined> {
  const others = [...(isLast ? [] : given), ...examined.filter((path) => !hasPassed(verdict, path))];
  if (others.length === 0 || !settings.tests) return undefined;
  const { syntax, tests } = verdict;
  const broken = isBroken(tests.status) || tests.reason === "package_missing";
  if (!broken && !syntax.errors.some(({ path }) => others.includes(path))) return undefined;
  return check({ syntax: {}, tests: {}, without: givenToLeaveOut(verdict, others) });
}

function hasPassed({ tests }: Verdict, path: string): boolean {
  const cases = tests.cases.filter((one) => isOf(one, path));
  return cases.length > 0 && cases.every(({ status }) => status === "passed");
}
