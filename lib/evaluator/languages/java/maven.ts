/** Compiles and tests a project with Maven, in the copy and without a network: Surefire's reports give each case. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { headAndTail } from "../../../core/text/cut.ts";
import {
  type CheckRequest,
  noTests,
  type SyntaxResult,
  type TestsResult,
  type Tool,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import { findingsIn, lackingIn, lackingToolIn, pomErrorsIn } from "./maven-output.ts";
import { isReport, readSurefire } from "./surefire.ts";

export const RUNNER = "mvn test";
/** Of each stream: what the compiler says must come whole. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

export interface MavenParts {
  mvn: Tool;
  javac: Tool;
  workspace: Workspace;
}

async function run(below: string, goals: string[], { mvn, javac, workspace }: MavenParts): Promise<CommandResult> {
  const copy = await workspace.copy();
  return copy.run({
    // On one stream, in order.
    argv: ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", mvn.program, ...ALWAYS, ...goals],
    below,
    env: { JAVA_HOME: javac.root ?? "", MAVEN_SKIP_RC: "1" },
    outputBytes: OUTPUT_BYTES,
  });
}

/** Spotless fetches its formatter while it runs; how code is laid out is no test. */
const ALWAYS = ["--offline", "--batch-mode", "--fail-at-end", "-Dstyle.color=never", "-Dspotless.check.skip=true"];

export async function compileMaven(root: string, parts: MavenParts): Promise<SyntaxResult> {
  const result = await run(root, ["test-compile"], parts);
  const { folder } = await parts.workspace.copy();
  const { errors, warnings } = findingsIn(result.stdout, folder);
  if (result.status === "exited" && result.exitCode === 0) return { status: "passed", errors: [], warnings };
  const tool = lackingToolIn(result.stdout);
  if (errors.length > 0 && !tool) return { status: "failed", errors, warnings };
  return refusal(result, folder);
}

/** Maven could not begin, or not end. */
function refusal({ status, signal, stdout }: CommandResult, folder: string): SyntaxResult {
  const tool = lackingToolIn(stdout);
  if (tool) return { ...withoutToolchain(tool), errors: [] };
  const lacking = lackingIn(stdout);
  if (lacking.length > 0) {
    const detail = lacking.map((name) => `package ${name} is not available here`).join("\n");
    return { status: "not_run", reason: "package_missing", detail, errors: [] };
  }
  if (status === "timed_out") return { ...withoutToolchain("the time to compile this project"), errors: [] };
  if (status === "crashed") return { status: "crashed", detail: `mvn was ended by ${signal}`, errors: [] };
  const errors = pomErrorsIn(stdout, folder);
  return { status: "failed", ...(errors.length > 0 ? {} : { detail: headAndTail(errorsIn(stdout), 1_000) }), errors };
}

const errorsIn = (text: string): string => {
  const lines = text.split("\n").filter((line) => /^\[(?:ERROR|FATAL)\]/.test(line));
  const own = lines.filter(
    (line) => !/\[Help \d\] http|re-run Maven|^\[ERROR\] *$|read the following articles/.test(line),
  );
  return own.length > 0 ? own.join("\n") : text.trim();
};

export async function testMaven(root: string, request: CheckRequest, parts: MavenParts): Promise<TestsResult> {
  const copy = await parts.workspace.copy();
  // What came with the tree is no report of this run.
  for (const path of request.tree.files.filter(isReport)) await rm(join(copy.folder, path), { force: true });
  const result = await run(root, ["test", ...chosenTests(request)], parts);
  const { cases, broken, truncated } = await readSurefire(copy.folder, root);
  const failures = failuresIn(result.stdout);
  const builds = failures.filter(({ isTests }) => !isTests);
  const hasEnded = result.status === "exited" && result.exitCode !== null;
  const isWhole = hasEnded && broken.length === 0 && !failures.some(({ isCrash }) => isCrash);
  const isOver = isWhole && /^\[INFO\] BUILD (?:SUCCESS|FAILURE)$/m.test(result.stdout);
  if (builds.length > 0 || (hasEnded && result.exitCode !== 0 && failures.length === 0)) {
    const { status, reason, detail = "", errors } = refusedBuild(result, copy.folder);
    if (status === "not_run")
      return { ...noTests, status, ...(reason ? { reason } : {}), detail, output: detail, runner: RUNNER };
    const [first] = errors;
    const message = first ? `${first.path}:${first.line ?? 1}: ${first.message}` : detail;
    cases.push({ name: `${RUNNER} (build)`, status: "error", message });
  }
  if (isOver && cases.length === 0 && result.exitCode === 0) return withoutCases(result, request);
  const running = [...broken, ...runningIn(result.stdout)];
  const end = isOver ? { end: result.exitCode ?? 1 } : {};
  const report = { cases, running, unseen: [], truncated, ...end };
  return testOutcome({ runner: RUNNER, result, report, reports: true, unavailablePackages: () => false });
}

function refusedBuild(result: CommandResult, folder: string): SyntaxResult {
  const { errors } = findingsIn(result.stdout, folder);
  return errors.length > 0 && !lackingToolIn(result.stdout) ? { status: "failed", errors } : refusal(result, folder);
}

interface Failure {
  /** Of the goal that runs tests. */
  isTests: boolean;
  /** The tests ended their process. */
  isCrash: boolean;
}

/** What Maven says at its end of each module that failed. */
const failuresIn = (text: string): Failure[] =>
  text
    .split(/^\[ERROR\] Failed to execute goal /m)
    .slice(1)
    .map((said) => {
      const isSurefire = /^[\w.]+:maven-surefire-plugin:[\w.-]+:test /.test(said);
      const isCrash = isSurefire && CRASH.test(said);
      return { isCrash, isTests: isCrash || (isSurefire && FAILURES.test(said)) };
    });

const CRASH = /The forked VM|SurefireBooterForkException|Error occurred in starting fork|Process Exit Code/;
const FAILURES = /There (?:are|was|were) [^.\n]*(?:failure|error|timeout)|Please refer to \S*surefire-reports/;

/** Classes that began, and whose results were never printed. */
function runningIn(text: string): string[] {
  const begun = [...text.matchAll(/^(?:\[INFO\] )?Running ([\w.$]+)$/gm)].map(([, name = ""]) => name);
  const results = [...text.matchAll(/^(?:\[\w+\] +)?Tests run: \d+, .*Time elapsed.*$/gm)].map(([line]) => line);
  const last = begun.at(-1);
  const named = new Set(results.flatMap((line) => / in ([\w.$]+)$/.exec(line)?.[1] ?? []));
  return last !== undefined && begun.length > results.length ? begun.filter((name) => !named.has(name)).slice(-1) : [];
}

function withoutCases({ stdout }: CommandResult, { tree }: CheckRequest): TestsResult {
  const version = /maven-surefire-plugin:([\d.]+)/.exec(stdout)?.[1] ?? /surefire:([\d.]+):test/.exec(stdout)?.[1];
  const hasTests = tree.files.some((path) => /(?:^|\/)src\/test\/.*\.java$/.test(path));
  if (!hasTests) return noTests;
  const skipped = /^\[INFO\] Tests are skipped\.$/m.test(stdout);
  const which = version ? ` (maven-surefire-plugin ${version})` : "";
  const detail = skipped
    ? "the pom.xml skips the tests"
    : `Maven ran none of the tests in src/test${which}: tests of JUnit 5 need maven-surefire-plugin 2.22 or later in the pom.xml, and names such as SumTest`;
  return { ...noTests, runner: RUNNER, detail, output: detail };
}

/** Test classes that can be run without the others. */
function chosenTests({ paths = [] }: CheckRequest): string[] {
  const names = paths.flatMap((path) => /(?:^|\/)src\/test\/java\/(?:.*\/)?(\w+)\.java$/.exec(path)?.[1] ?? []);
  if (names.length === 0 || names.length !== paths.length) return [];
  return [`-Dtest=${names.join(",")}`, "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"];
}
