/** Asks a script that parses files inside their own language and answers what it found as JSON. */

import * as z from "zod";
import { headAndTail } from "../../core/text/cut.ts";
import { sanitize } from "../../core/text/sanitize.ts";
import { Finding } from "../../core/verdict/verdict.ts";
import type { SyntaxResult, Workspace } from "../language.ts";
import { isTestData } from "../languages/data/test-data.ts";
import type { CommandResult } from "../process/run-command.ts";

const paths = z.array(z.string());
const Answer = z.object({
  findings: z.array(Finding),
  warnings: z.array(Finding).optional(),
  unchecked: paths.optional(),
  large: paths.optional(),
});
export interface CheckerAnswer {
  findings: Finding[];
  unchecked: string[];
  /** Its advice, and which files are too large to be read. */
  warnings: Finding[];
}

/** A whole answer must fit, else it cannot be read. */
const ANSWER_BYTES = 8 * 1024 * 1024;
const MESSAGE_CHARS = 500;
const TOO_LARGE = "not checked: it is larger than 1024 KiB";

export async function runChecker(
  workspace: Workspace,
  argv: string[],
  request: object,
): Promise<CheckerAnswer | SyntaxResult> {
  const result = await workspace.ask({ argv, line: JSON.stringify(request), outputBytes: ANSWER_BYTES });
  const answer = parsed(result.stdout);
  if (result.status !== "exited" || result.exitCode !== 0 || !answer) return broken(result);
  const large = (answer.large ?? []).map((path) => ({ path, message: TOO_LARGE, rule: "syntax" }));
  const fed = answer.findings.filter(({ path }) => isTestData(path));
  return {
    findings: answer.findings.filter(({ path }) => !isTestData(path)).map(fitToBeTold),
    unchecked: answer.unchecked ?? [],
    warnings: [...[...fed, ...(answer.warnings ?? [])].map(fitToBeTold), ...large],
  };
}

const fitToBeTold = (finding: Finding): Finding => ({
  ...finding,
  message: headAndTail(sanitize(finding.message), MESSAGE_CHARS),
});

function parsed(text: string): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function broken(result: CommandResult): SyntaxResult {
  const said = headAndTail(result.stderr.trim(), MESSAGE_CHARS);
  if (result.status === "not_found") return { status: "not_run", reason: "no_toolchain", detail: said, errors: [] };
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  return {
    status: "crashed",
    detail: `the checker ended with ${result.signal ?? result.exitCode}: ${said}`,
    errors: [],
  };
}

/** Advice beside what was found. */
export const withWarnings = (found: SyntaxResult, { warnings }: CheckerAnswer): SyntaxResult =>
  warnings.length > 0 ? { ...found, warnings: [...(found.warnings ?? []), ...warnings] } : found;
