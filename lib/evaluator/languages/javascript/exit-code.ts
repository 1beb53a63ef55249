/** One case from how a command ended, for scripts that report no cases. Pure. */
import { headAndTail } from "../../../core/text/cut.ts";
import type { CommandResult } from "../../process/run-command.ts";
import type { Report } from "../../report/read-report.ts";

const MESSAGE_CHARS = 2_000;

export function reportByExitCode(name: string, result: CommandResult): Report {
  const report: Report = { cases: [], running: [], unseen: [], truncated: false };
  if (result.status !== "exited") return report;
  if (result.exitCode === 0) return { ...report, cases: [{ name, status: "passed" }], end: 0 };
  const end = result.exitCode ?? 1;
  const missing = missingProgram(result.stderr);
  if (missing !== undefined && TOOLS.test(missing)) return { ...report, unseen: [{ name, needs: missing }], end };
  const message = headAndTail(`${result.stdout}\n${result.stderr}`.trim(), MESSAGE_CHARS);
  const lacking = missing ?? missingModule(message);
  return { ...report, cases: [{ name, status: "failed", message, ...(lacking ? { missing: lacking } : {}) }], end };
}

/** Programs that no package of a registry brings. */
const TOOLS =
  /^(?:bun|deno|docker(?:-compose)?|podman|cargo|rustc|go|python3?|pip3?|uv|ruby|bundle|php|composer|java|mvn|gradle|make|cmake|gcc|g\+\+|psql|mysql|redis-server|google-chrome|chromium|firefox)$/;

/** Programs are called as their packages, mostly. A shell does not find them, or npx may not fetch them. */
const missingProgram = (text: string): string | undefined =>
  /(?:^|\s)([\w@/.+-]+): (?:command )?not found$/m.exec(text)?.[1] ??
  /ENOTCACHED.*?\/((?:@[\w.-]+%2f)?[\w.-]+) failed/is.exec(text)?.[1]?.replace(/%2f/i, "/");

const missingModule = (text: string): string | undefined =>
  /(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND)/.test(text)
    ? /Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'@][^/']*)/.exec(text)?.[1]
    : undefined;
