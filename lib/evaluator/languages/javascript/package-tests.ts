/** Tests one package: the steps of its test script in order, case by case where the runner of a step can name them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { noTests, type TestsResult, type Workspace, type WorkspaceCopy, withoutToolchain } from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import { mergeTests } from "../../report/merge-verdicts.ts";
import { type Report, readReport } from "../../report/read-report.ts";
import { newKey } from "../../report/sealed-lines.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import { reportByExitCode } from "./exit-code.ts";
import { modulesAt } from "./installed-modules.ts";
import { isTestFile, type NodePlan, planChosen, planFiles, planNode } from "./node-tests.ts";
import { scriptEnvironment } from "./package-manager.ts";
import type { ProjectPackage } from "./project-packages.ts";
import { brokenStart, readRunnerReport } from "./runner-report.ts";
import { planRunner, RUNNER_NAMES, type RunnerCall, type RunnerPlan, runnerCall } from "./runners.ts";
import { declaredScript, testSteps } from "./scripts.ts";
import { TEST_FILE } from "./tested-packages.ts";

export interface PackageContext {
  workspace: Workspace;
  copy: WorkspaceCopy;
  /** The folder of the commands that stand for package managers. */
  managers: string;
  /** The paths that were asked for, relative to the package. Empty: all. */
  chosen: string[];
  unavailablePackages: (name: string) => boolean;
}

export async function testPackage(one: ProjectPackage, context: PackageContext): Promise<TestsResult> {
  const found = await testsOf(one, context);
  if (one.below === "") return found;
  return { ...found, cases: found.cases.map((each) => ({ ...each, name: `${one.below}/${each.name}` })) };
}

async function testsOf(one: ProjectPackage, context: PackageContext): Promise<TestsResult> {
  const chosen = planChosen(one, context.chosen.filter(isTestFile), context.workspace.scripts);
  if (chosen) return runNode(chosen, one, context);
  const steps = testSteps(one.manifest);
  if (steps.length === 0) return withoutScript(one, context);
  const planned = steps.map((step) => ({ step, run: planStep(step, one, context) }));
  if (!planned.some(({ run }) => run)) return runNpm(one, context);
  const found: TestsResult[] = [];
  for (const { step, run } of planned) {
    const result = await (run ? run() : runShell(step, one, context));
    if (run || result.status !== "passed") found.push(result);
    if (result.status !== "passed" && result.status !== "not_found") break;
  }
  return mergeTests(found);
}

/** Without a script, the tests themselves show whose they are. */
async function withoutScript(one: ProjectPackage, context: PackageContext): Promise<TestsResult> {
  const files = one.files.filter(isTestFile);
  const tests = one.files.filter((path) => isTestFile(path) || TEST_FILE.test(path));
  const isNodes = tests.some((path) =>
    readFileSync(join(context.copy.folder, one.below, path), "utf8").includes("node:test"),
  );
  const declared = { ...one.manifest.devDependencies, ...one.manifest.dependencies };
  const runner = RUNNER_NAMES.find((name) => Object.hasOwn(declared, name));
  const run = runner && !isNodes ? planStep(runner, one, context) : undefined;
  if (run) return run();
  return files.length > 0 ? runNode(planFiles(files, context.workspace.scripts), one, context) : noTests;
}

/** Undefined: a command that only its exit code speaks for. */
function planStep(
  step: string,
  one: ProjectPackage,
  context: PackageContext,
): (() => Promise<TestsResult>) | undefined {
  const call = runnerCall(step);
  if (!call) return undefined;
  const node = planNode(call, context.workspace.scripts);
  if (node) return () => runNode(node, one, context);
  const plan = planOf(call, one, context);
  return plan && (() => runRunner(step, plan, { one, context }));
}

const planOf = (call: RunnerCall, one: ProjectPackage, context: PackageContext) =>
  planRunner(call, {
    scripts: context.workspace.scripts,
    chosen: context.chosen.filter((path) => TEST_FILE.test(path)),
    installed: (name) => programOf(name, one, context),
  });

function programOf(name: string, { below }: ProjectPackage, { workspace, copy }: PackageContext): string | undefined {
  const found = modulesAt(workspace.environment, below).find(({ folder }) => existsSync(join(folder, ".bin", name)));
  return found ? join(copy.folder, found.below, "node_modules/.bin", name) : undefined;
}

/** Node's test runner hands `./-name` on as `-name`, which would be an option. */
const whole = (word: string, folder: string): string => (word.startsWith("./-") ? join(folder, word) : word);

async function runNode(plan: NodePlan, one: ProjectPackage, context: PackageContext): Promise<TestsResult> {
  const { copy, workspace } = context;
  const path = copy.newReport();
  const key = newKey();
  const folder = join(copy.folder, one.below);
  const result = await copy.run({
    below: one.below,
    argv: [workspace.toolchain.node, ...plan.argv.map((word) => whole(word, folder))],
    stdin: JSON.stringify({ report: path, key, ...(plan.alone ? { alone: true } : {}) }),
    env: { ...environmentOf(one, context), ...plan.env },
  });
  const report = await readReport(path, key);
  const broke = NO_MANIFEST.test(result.stderr) ? brokenStart(plan.runner, result) : undefined;
  const isSilent = report.cases.length === 0 && result.exitCode !== 0;
  return outcome(
    plan.runner,
    { result, report: broke && isSilent ? { ...report, cases: [broke] } : report, reports: true },
    context,
  );
}

/** Node loads nothing beside a package.json that it cannot read. */
const NO_MANIFEST = /\bERR_INVALID_PACKAGE_CONFIG\b/;

async function runRunner(
  step: string,
  plan: RunnerPlan,
  { one, context }: { one: ProjectPackage; context: PackageContext },
): Promise<TestsResult> {
  const { copy, workspace } = context;
  const path = copy.newReport();
  const result = await copy.run({
    below: one.below,
    argv: [workspace.toolchain.node, ...plan.argv, ...plan.reporting(path, workspace.scripts)],
    env: { ...environmentOf(one, context), ...plan.env },
  });
  const folder = join(copy.folder, one.below);
  const { report, written } = await readRunnerReport(path, { form: plan.form, folder, result });
  // One that was cut could not be read: then the exit code speaks.
  if (written || report.truncated || result.status !== "exited") {
    // They write it when they end: stopped before, nothing shows how far they came.
    const reports = !report.truncated && (written || result.status !== "timed_out");
    const found = outcome(plan.runner, { result, report, reports }, context);
    // No case failed: whether the run did, the command as it is written decides.
    if (found.status !== "failed" || found.failed + found.errors > 0 || found.passed === 0) return found;
    return (await runShell(step, one, context)).status === "passed" ? passedOf(found) : found;
  }
  const broke = result.exitCode === 0 ? undefined : brokenStart(plan.runner, result);
  if (result.exitCode !== 0 && !broke) return { ...noTests, runner: plan.runner };
  // Green as it is written: then it is our reporter that does not work, and how many cases passed is not known.
  const plain = result.exitCode === 0 ? undefined : await runShell(step, one, context);
  if (plain?.status === "passed") return { ...plain, ...noTests, ...unreported(plan), output: plain.output };
  return outcome(
    plan.runner,
    { result, report: broke ? { ...report, cases: [broke] } : report, reports: true },
    context,
  );
}

const unreported = ({ runner }: RunnerPlan) => ({ runner, ...withoutToolchain(`a ${runner} that reports each case`) });

const passedOf = ({ detail: _, ...found }: TestsResult): TestsResult => ({ ...found, status: "passed" });

async function runShell(step: string, one: ProjectPackage, context: PackageContext): Promise<TestsResult> {
  const env = environmentOf(one, context);
  const result = await context.copy.run({ below: one.below, argv: ["/bin/sh", "-c", step], env });
  return outcome(step, { result, report: reportByExitCode(step, result), reports: false }, context);
}

async function runNpm(one: ProjectPackage, context: PackageContext): Promise<TestsResult> {
  const { npm, node } = context.workspace.toolchain;
  const absent = withoutToolchain(`npm, which "${declaredScript(one.manifest)}" needs,`);
  if (!npm) return { ...noTests, ...absent, output: absent.detail };
  const env = environmentOf(one, context);
  const result = await context.copy.run({ below: one.below, argv: [node, npm, "test", "--loglevel=error"], env });
  return outcome("npm test", { result, report: reportByExitCode("npm test", result), reports: false }, context);
}

const environmentOf = (one: ProjectPackage, { copy, managers, workspace }: PackageContext): Record<string, string> =>
  scriptEnvironment(one, { folder: copy.folder, managers, workspace });

const outcome = (
  runner: string,
  run: { result: CommandResult; report: Report; reports: boolean },
  { unavailablePackages }: PackageContext,
): TestsResult => testOutcome({ runner, ...run, unavailablePackages });
