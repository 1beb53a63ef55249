/** Runs the check that a project declares for itself, and says what its end means. */
import { headAndTail } from "../../../core/text/cut.ts";
import { noTests, type TestsResult, type Workspace, withoutToolchain } from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import type { Report } from "../../report/read-report.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import type { Tree } from "../../tree.ts";
import type { Declaration } from "./declaration.ts";
import { isOnPath, missingProgram } from "./missing-program.ts";
import { readTap } from "./tap.ts";

/** Of each stream: a report in TAP must come whole. */
const OUTPUT_BYTES = 1024 * 1024;
const MESSAGE_CHARS = 2_000;

export interface DeclaredRun {
  tests: TestsResult;
  /** All that it printed. */
  printed: string;
}

export async function runDeclared(
  { name, program, args }: Declaration,
  tree: Tree,
  workspace: Workspace,
): Promise<DeclaredRun> {
  if (!isOnPath(program, workspace)) return { tests: withoutProgram(name, program), printed: "" };
  const copy = await workspace.copy();
  const result = await copy.run({ argv: [program, ...args], outputBytes: OUTPUT_BYTES });
  return { tests: testsOf(name, result, { tree, workspace }), printed: printed(result) };
}

function testsOf(
  name: string,
  result: CommandResult,
  { tree, workspace }: { tree: Tree; workspace: Workspace },
): TestsResult {
  const missing = missingProgram(result, tree, workspace);
  if (missing && result.status === "exited") return { ...withoutProgram(name, missing), output: printed(result) };
  const idle = result.exitCode === 0 ? IDLE.exec(result.stdout)?.[0] : undefined;
  if (idle) return { ...noTests, runner: name, detail: `${idle}: it ran nothing`, output: idle };
  return testOutcome({
    runner: name,
    result,
    report: reportOf(name, result),
    reports: result.status === "exited",
    unavailablePackages: () => false,
  });
}

/** A folder that is called like the target is enough for make to leave everything as it is. */
const IDLE = /^make: (?:Nothing to be done for .*|.* is up to date)\.$/m;

function withoutProgram(name: string, program: string): TestsResult {
  const { detail, ...rest } = withoutToolchain(name === program ? program : `${program}, which "${name}" needs,`);
  return { ...noTests, ...rest, runner: name, detail, output: detail };
}

function reportOf(name: string, result: CommandResult): Report {
  const isWhole = result.status === "exited";
  const ended = isWhole && result.exitCode !== null ? { end: result.exitCode } : {};
  const cases = readTap(result.stdout, isWhole) ?? (isWhole ? [caseOf(name, result)] : []);
  return { cases, running: [], unseen: [], truncated: false, ...ended };
}

function caseOf(name: string, result: CommandResult): Report["cases"][number] {
  if (result.exitCode === 0) return { name, status: "passed" };
  return { name, status: "failed", message: headAndTail(printed(result), MESSAGE_CHARS) };
}

const printed = ({ stdout, stderr }: CommandResult): string => `${stdout.trim()}\n${stderr.trim()}`.trim();
