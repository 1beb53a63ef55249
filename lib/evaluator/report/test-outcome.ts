/** What a test run means: from how its process ended and what its report says. Pure. Unknown is never passed. */
import { headAndTail } from "../../core/text/cut.ts";
import type { TestCase } from "../../core/verdict/verdict.ts";
import { noTests, type TestsResult, withoutToolchain } from "../language.ts";
import type { CommandResult } from "../process/run-command.ts";
import type { Report } from "./read-report.ts";

export interface TestRun {
  runner: string;
  result: CommandResult;
  report: Report;
  /** The runner writes a report whenever it comes to its end by itself, and shows before how far it came. */
  reports: boolean;
  /** Whether a missing package is unavailable here, as opposed to undeclared. */
  unavailablePackages: (name: string) => boolean;
}

/** Shown of what a test run printed. */
const OUTPUT_CHARS = 16_000;
/** Listed of a run's cases: what did not pass first. */
const CASES = 500;
const LISTED: TestCase["status"][] = ["failed", "error", "skipped", "passed"];

export function testOutcome(run: TestRun): TestsResult {
  const { cases, truncated } = listed(run.report);
  const counts = countsOf(run.report.cases);
  const opinion = opinionOf(run);
  return {
    ...noTests,
    ...counts,
    ...opinion,
    runner: run.runner,
    cases,
    output: headAndTail(outputOf(run, opinion.detail), OUTPUT_CHARS),
    missingPackages: missingIn(run.report),
    truncated: [
      ...truncated,
      ...(run.report.left ?? []),
      ...(run.report.truncated ? ["the report of the tests"] : []),
      ...(run.result.truncated ? ["the output of the tests"] : []),
    ],
  };
}

type Judgement = Pick<TestsResult, "status" | "reason" | "detail">;

function opinionOf(run: TestRun): Judgement {
  const { result, report } = run;
  if (result.status === "timed_out") return lateOpinion(run);
  if (result.status === "not_found")
    return { status: "not_run", reason: "no_toolchain", detail: `${run.runner} could not be started` };
  if (lacksDisplay(run)) return withoutDisplay;
  if (result.status === "crashed")
    return { status: "crashed", ...runningDetail(report, `the test run was ended by ${result.signal}`) };
  if (report.tampered) return { status: "crashed", reason: "tampered", detail: report.tampered };
  const failing = report.cases.filter(isFailing);
  if (run.reports && report.end === undefined && failing.length === 0) return withoutEnd(run);
  if (failing.length > 0) return failedOpinion(run, failing);
  return report.end === undefined ? byExitCode(result) : passedOpinion(run, report.end);
}

/** What Tk, Qt, GTK, SDL and browsers say where there is no screen. */
const NO_DISPLAY =
  /no display name and no \$DISPLAY|could not connect to display|cannot open display|Missing X server or \$DISPLAY|Can't open display|No available video device/i;
const withoutDisplay = withoutToolchain(
  "a display, which the tests open windows on (they may need a mode without one),",
);

/** Nothing else failed: a test that fails for another reason has failed. */
function lacksDisplay({ result, report }: TestRun): boolean {
  const failing = report.cases.filter(isFailing);
  if (report.tampered !== undefined || result.status === "timed_out") return false;
  if (failing.length === 0) return result.status === "crashed" && NO_DISPLAY.test(result.stderr);
  return failing.every(({ message = "" }) => NO_DISPLAY.test(message));
}

/** Given for one check by the options of a run. */
const MORE_TIME = "--check-minutes allows more time";
/** Of the time that there was, what the tests that ended must have taken for none to be hanging. */
const BUSY_SHARE = 0.5;

/**
 * Tests that pass one after the other, up to the end of the time, are too many for it: nothing is wrong with them. Of a
 * command that reports no cases it is unknown whether it was slow or hung.
 */
function lateOpinion({ result, report, reports }: TestRun): Judgement {
  if (!reports && report.tampered === undefined && !report.cases.some(isFailing))
    return { status: "not_run", reason: "out_of_time", detail: `it had not ended and reports no cases; ${MORE_TIME}` };
  const seconds = report.cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  const isBusy = seconds * 1000 >= result.milliseconds * BUSY_SHARE && report.tampered === undefined;
  if (isBusy && report.cases.length > 0 && !report.cases.some(isFailing))
    return { status: "not_run", reason: "out_of_time", detail: `${report.cases.length} tests had ended; ${MORE_TIME}` };
  const running = runningDetail(report);
  return { status: "timed_out", detail: running.detail ?? `which test did not end is not known; ${MORE_TIME}` };
}

/** The report has an end and no failing case. */
function passedOpinion({ result, report }: TestRun, end: number): Judgement {
  const { passed, skipped } = countsOf(report.cases);
  if (passed + skipped + report.unseen.length === 0 && NOTHING_RAN.has(end)) return { status: "not_found" };
  if (report.unseen.length > 0) return unseenOpinion(report);
  if (result.exitCode !== 0 || end !== 0)
    return { status: "failed", detail: `no test failed, yet the test run ended with ${result.exitCode}` };
  return passed > 0 ? { status: "passed" } : { status: "not_found", reason: "all tests are skipped" };
}

/** Node ends with 0 where it found no test; pytest, and our unittest runner after it, with 5. */
const NOTHING_RAN = new Set([0, 5]);

function unseenOpinion({ unseen }: Report): Judgement {
  const [first] = unseen;
  const files = unseen.map(({ name }) => name).join(", ");
  return {
    status: "not_run",
    reason: "no_toolchain",
    detail: `${first?.needs} is not available here: ${files} needs it`,
  };
}

/** Most likely something in the tests ended the process, and perhaps with 0. */
function withoutEnd({ result, report }: TestRun): Judgement {
  const how = `the test run ended with ${result.exitCode} before its tests had ended`;
  return { status: "crashed", ...runningDetail(report, how) };
}

const byExitCode = (result: CommandResult): Judgement =>
  result.exitCode === 0 ? { status: "passed" } : { status: "failed", detail: `it ended with ${result.exitCode}` };

/** Where nothing fails but for packages that could not be had, the tests have not failed: they could not run. */
function failedOpinion({ unavailablePackages }: TestRun, failing: Report["cases"]): Judgement {
  const excused = failing.every(({ missing }) => missing !== undefined && unavailablePackages(missing));
  return excused ? { status: "not_run", reason: "package_missing" } : { status: "failed" };
}

function runningDetail({ running }: Report, how?: string): { detail?: string } {
  const during = running.length > 0 ? `${how ? " while" : "still"} running: ${running.slice(0, 3).join(", ")}` : "";
  const detail = `${how ?? ""}${during}`;
  return detail === "" ? {} : { detail };
}

function outputOf(run: TestRun, detail: string | undefined): string {
  const missing = missingIn(run.report).map((name) => missingLine(name, run.unavailablePackages(name)));
  const printed = [run.result.stdout, run.result.stderr].map((text) => text.trim());
  return [...(detail ? [detail] : []), ...missing, ...printed].filter((part) => part !== "").join("\n");
}

const missingLine = (name: string, excused: boolean): string =>
  excused
    ? `package ${name} is not available here`
    : `package ${name} is not available here: the project does not declare it, and no file of the project has its name`;

const missingIn = (report: Report): string[] => [
  ...new Set(report.cases.flatMap(({ missing }) => (missing === undefined ? [] : [missing]))),
];

const isFailing = ({ status }: TestCase): boolean => status === "failed" || status === "error";

function countsOf(cases: TestCase[]): Pick<TestsResult, "passed" | "failed" | "errors" | "skipped"> {
  const count = (status: TestCase["status"]): number => cases.filter((one) => one.status === status).length;
  return { passed: count("passed"), failed: count("failed"), errors: count("error"), skipped: count("skipped") };
}

function listed(report: Report): { cases: TestCase[]; truncated: string[] } {
  const plain = report.cases.map(({ missing: _, ...shown }): TestCase => shown);
  if (plain.length <= CASES) return { cases: plain, truncated: [] };
  const ordered = plain.toSorted((one, other) => LISTED.indexOf(one.status) - LISTED.indexOf(other.status));
  return { cases: ordered.slice(0, CASES), truncated: [`${plain.length - CASES} of ${plain.length} test cases`] };
}
