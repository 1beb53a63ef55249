/** Reads the reports that vitest, jest and mocha write. They are untrusted: tests may have written them. */
import { relative } from "node:path";
import * as z from "zod";
import type { CommandResult } from "../../process/run-command.ts";
import { beginningOf, type Report, reportedCase } from "../../report/read-report.ts";

/** vitest writes what jest writes. */
export type ReportForm = "jest" | "mocha";

type Case = Report["cases"][number];

export interface RunnerReport {
  report: Report;
  /** It came to its end and wrote what it found. */
  written: boolean;
}

export async function readRunnerReport(
  path: string,
  { form, folder, result }: { form: ReportForm; folder: string; result: CommandResult },
): Promise<RunnerReport> {
  const { text, truncated } = await beginningOf(path);
  const found = casesIn(text, form, (file) => (file.startsWith("/") ? relative(folder, file) : file));
  const report = { cases: (found ?? []).map(reportedCase), running: [], unseen: [], truncated };
  if (!found || result.exitCode === null) return { report, written: false };
  // They end with 1 where they find no test at all.
  const end = found.length === 0 && result.exitCode === 1 ? 0 : result.exitCode;
  return { report: { ...report, end }, written: true };
}

function casesIn(text: string, form: ReportForm, shown: (file: string) => string): Case[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (form === "mocha") return mochaCases(Mocha.parse(value), shown);
    return Jest.parse(value).testResults.flatMap((file) => jestCases(file, shown));
  } catch {
    return undefined;
  }
}

const Assertion = z.object({
  ancestorTitles: z.array(z.string()).catch([]),
  title: z.string(),
  status: z.string(),
  duration: z.number().nonnegative().nullish(),
  failureMessages: z.array(z.string()).nullish(),
});
const JestFile = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(Assertion),
});
const Jest = z.object({ testResults: z.array(JestFile) });

const JEST_STATUS: Record<string, Case["status"]> = {
  passed: "passed",
  failed: "failed",
  pending: "skipped",
  skipped: "skipped",
  todo: "skipped",
  disabled: "skipped",
};

function jestCases({ name, status, message, assertionResults }: z.infer<typeof JestFile>, shown: Shown): Case[] {
  const cases = assertionResults.map((one): Case => {
    const said = (one.failureMessages ?? []).join("\n");
    return {
      name: [shown(name), ...one.ancestorTitles, one.title].join(" > "),
      status: Object.hasOwn(JEST_STATUS, one.status) ? (JEST_STATUS[one.status] ?? "error") : "error",
      ...(one.duration ? { seconds: one.duration / 1000 } : {}),
      ...(said === "" ? {} : { message: said, ...missingIn(said) }),
    };
  });
  // A file that broke before, after or around its tests.
  const broke = status === "failed" && !cases.some((one) => one.status === "failed" || one.status === "error");
  return broke ? [...cases, { name: shown(name), status: "error", ...messageParts(message ?? "") }] : cases;
}

type Shown = (file: string) => string;

const MochaTest = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  duration: z.number().nonnegative().nullish(),
  err: z.object({ stack: z.string().optional(), message: z.string().optional() }).catch({}),
});
const Mocha = z.object({
  passes: z.array(MochaTest),
  failures: z.array(MochaTest),
  pending: z.array(MochaTest),
});

function mochaCases({ passes, failures, pending }: z.infer<typeof Mocha>, shown: Shown): Case[] {
  const caseOf = (test: z.infer<typeof MochaTest>, status: Case["status"]): Case => ({
    name: [...(test.file ? [shown(test.file)] : []), test.fullTitle].join(" > "),
    status,
    ...(test.duration ? { seconds: test.duration / 1000 } : {}),
    ...(status === "failed" || status === "error" ? messageParts(test.err.stack ?? test.err.message ?? "") : {}),
  });
  const isHook = ({ fullTitle }: { fullTitle: string }): boolean =>
    /"(?:before|after) (?:all|each)" hook/.test(fullTitle);
  return [
    ...failures.map((test) => caseOf(test, isHook(test) ? "error" : "failed")),
    ...passes.map((test) => caseOf(test, "passed")),
    ...pending.map((test) => caseOf(test, "skipped")),
  ];
}

/** A runner that broke before it could write a report: what it printed is all there is. */
export function brokenStart(runner: string, { stdout, stderr }: CommandResult): Case | undefined {
  const said = `${stderr.trim()}\n${stdout.trim()}`.trim();
  return /No test(?: file)?s found/.test(said)
    ? undefined
    : reportedCase({ name: runner, status: "error", ...messageParts(said) });
}

const messageParts = (message: string): { message?: string; missing?: string } =>
  message === "" ? {} : { message, ...missingIn(message) };

function missingIn(message: string): { missing?: string } {
  const missing = MISSING.exec(message)?.[1];
  return missing ? { missing } : {};
}

const MISSING =
  /(?:Cannot find (?:module|package) |Failed to resolve import |Failed to load url )['"]?((?:@[^/'"\s]+\/)?[^./'"@\s][^/'"\s]*)/;
