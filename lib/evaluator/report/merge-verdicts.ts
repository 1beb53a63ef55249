/** One answer from the answers of several kinds of project. Pure. The worst wins, and nothing unknown looks green. */
import type { CheckReason, CheckStatus } from "../../core/verdict/verdict.ts";
import { noTests, nothingToCheck, type SyntaxResult, type TestsResult } from "../language.ts";

interface CheckResult {
  status: CheckStatus;
  reason?: CheckReason;
  detail?: string;
}

/**
 * From worst to best. A kind that could not be checked hides a pass (its part is unknown), yet not a failure. A kind
 * without tests is no blemish where another kind's tests passed: the tree has tests. No code at all is the weakest.
 */
const SEVERITY: ((found: CheckResult) => boolean)[] = [
  ({ status }) => status === "crashed",
  ({ status }) => status === "timed_out",
  ({ status }) => status === "failed",
  ({ status, reason }) => status === "not_run" && reason !== "nothing_to_check",
  ({ status }) => status === "passed",
  ({ status }) => status === "not_found",
  () => true,
];

export function mergeSyntax(found: SyntaxResult[]): SyntaxResult {
  if (found.length === 0) return nothingToCheck;
  const warnings = found.flatMap((one) => one.warnings ?? []);
  return {
    ...verdictOf(found),
    errors: found.flatMap(({ errors }) => errors),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** No kind at all: there is nothing that tests could be of. */
export function mergeTests(found: TestsResult[]): TestsResult {
  if (found.length === 0) return { ...noTests, status: "not_run", reason: "nothing_to_check" };
  const sum = (count: (one: TestsResult) => number): number => found.reduce((total, one) => total + count(one), 0);
  const runners = found.flatMap(({ runner }) => (runner === undefined ? [] : [runner]));
  return {
    ...verdictOf(found),
    ...(runners.length > 0 ? { runner: runners.join(", ") } : {}),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    errors: sum(({ errors }) => errors),
    skipped: sum(({ skipped }) => skipped),
    cases: found.flatMap(({ cases }) => cases),
    output: joined(found.map(({ output }) => output)),
    missingPackages: [...new Set(found.flatMap(({ missingPackages }) => missingPackages))],
    truncated: found.flatMap(({ truncated }) => truncated),
  };
}

function verdictOf(found: CheckResult[]): CheckResult {
  const [worst] = found.toSorted((one, other) => severityOf(one) - severityOf(other));
  const detail = joined(found.map((one) => one.detail ?? ""));
  return {
    status: worst?.status ?? "not_run",
    ...(worst?.reason === undefined ? {} : { reason: worst.reason }),
    ...(detail === "" ? {} : { detail }),
  };
}

const severityOf = (found: CheckResult): number => SEVERITY.findIndex((matches) => matches(found));

const joined = (texts: string[]): string => texts.filter((text) => text !== "").join("\n");
