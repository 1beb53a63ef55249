/** JavaScript and TypeScript: parsed as Node would, checked by the project's own compiler, tested by what it declares. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CheckRequest,
  type Language,
  noTests,
  nothingToCheck,
  type SyntaxResult,
  type TestsResult,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import { readReport } from "../../report/read-report.ts";
import { type CheckerAnswer, runChecker, withWarnings } from "../../report/run-checker.ts";
import { newKey } from "../../report/sealed-lines.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import type { Tree } from "../../tree.ts";
import { nodeInstaller } from "./install-node.ts";
import { type Manifest, nodeModulesOf, readManifest, unavailablePackages } from "./manifest.ts";
import { brokenStart, readRunnerReport } from "./runner-report.ts";
import { planRunner } from "./runners.ts";
import { declaredScript, planTests, separateTests } from "./test-plan.ts";
import { compile, hasCompiler } from "./typescript.ts";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;

export const javascript: Language = {
  name: "JavaScript",
  owns: (path) => SOURCE.test(path),
  installer: nodeInstaller,
  syntax,
  tests,
  testFiles,
};

async function syntax(request: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const { tree, paths } = request;
  if (paths && !paths.some((path) => javascript.owns(path) || path === "package.json")) return nothingToCheck;
  const script = join(workspace.scripts, "check-javascript.mjs");
  const argv = [workspace.toolchain.node, "--experimental-vm-modules", "--no-warnings", script];
  const answer = await runChecker(workspace, argv, { tree: tree.files, paths: paths ?? null });
  return "status" in answer ? answer : withWarnings(await opinionOf(answer, request, workspace), answer);
}

async function opinionOf(
  answer: CheckerAnswer,
  { tree, paths, sinceLast }: CheckRequest,
  workspace: Workspace,
): Promise<SyntaxResult> {
  if (answer.findings.length > 0) return { status: "failed", errors: answer.findings };
  // The compiler reads the whole project: what a turn costs must not grow with it.
  if ((paths === undefined || sinceLast) && hasCompiler(tree, workspace)) return compile(workspace);
  if (answer.unchecked.length === 0) return { status: "passed", errors: [] };
  const shown = answer.unchecked.slice(0, 5).join(", ");
  return { ...withoutToolchain(`a compiler for ${shown}`), errors: [] };
}

/** Node's test runner hands `./-name` on as `-name`, which would be an option. */
const whole = (word: string, folder: string): string => (word.startsWith("./-") ? join(folder, word) : word);

async function testFiles(tree: Tree): Promise<string[] | undefined> {
  return separateTests(tree, await readManifest(tree));
}

async function tests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree } = request;
  const manifest = await readManifest(tree);
  const listed = await runnerTests(request, manifest, workspace);
  if (listed) return listed;
  const plan = planTests({ request, manifest, toolchain: workspace.toolchain, scripts: workspace.scripts });
  if ("missing" in plan)
    return { ...noTests, ...withoutToolchain(plan.missing), output: withoutToolchain(plan.missing).detail };
  if ("none" in plan) return noTests;
  const copy = await workspace.copy();
  const path = copy.newReport();
  const key = plan.sealed ? newKey() : undefined;
  const result = await copy.run({
    argv: plan.argv.map((word) => whole(word, copy.folder)),
    ...(key ? { stdin: JSON.stringify({ report: path, key }) } : {}),
    env: { ...plan.env, ...(key ? {} : { L2MAC_REPORT: path }) },
  });
  const report = await readReport(path, key);
  const silent = report.end === undefined && report.cases.length === 0 && report.running.length === 0;
  return testOutcome({
    runner: plan.runner,
    result,
    report: silent && plan.byExitCode ? { ...report, cases: [plan.byExitCode(result)] } : report,
    reports: !silent || plan.byExitCode === undefined,
    unavailablePackages: unavailablePackages(tree, manifest, workspace.environment),
  });
}

/** Undefined: Node's own runner, or a script that only its exit code speaks for. */
async function runnerTests(
  request: CheckRequest,
  manifest: Manifest,
  workspace: Workspace,
): Promise<TestsResult | undefined> {
  const folder = nodeModulesOf(workspace.environment);
  if (!folder || (await usesNodeTest(request.tree, manifest))) return undefined;
  const copy = await workspace.copy();
  const path = copy.newReport();
  const installed = (name: string): string | undefined =>
    existsSync(join(folder, ".bin", name)) ? join("node_modules/.bin", name) : undefined;
  const plan = planRunner({ request, manifest, toolchain: workspace.toolchain, installed, report: path });
  if (!plan) return undefined;
  const result = await copy.run({ argv: plan.argv, env: plan.env });
  const { report, written } = await readRunnerReport(path, { form: plan.form, folder: copy.folder, result });
  const broken = !written && result.status === "exited" && result.exitCode !== 0;
  const broke = broken && !report.truncated ? brokenStart(plan.runner, result) : undefined;
  if (broken && !broke && !report.truncated) return { ...noTests, runner: plan.runner };
  return testOutcome({
    runner: plan.runner,
    result,
    report: broke ? { ...report, cases: [broke] } : report,
    // One that was cut could not be read: then the exit code speaks.
    reports: !report.truncated,
    unavailablePackages: unavailablePackages(request.tree, manifest, workspace.environment),
  });
}

/** Without a script, the tests themselves show whose they are. */
async function usesNodeTest({ files, folder }: Tree, manifest: Manifest): Promise<boolean> {
  if (declaredScript(manifest) !== undefined) return false;
  const tests = files.filter((path) => /[.\-_/]?(?:test|spec)s?[./]/.test(path) && SOURCE.test(path));
  const texts = await Promise.all(tests.map((path) => readFile(join(folder, path), "utf8")));
  return texts.length === 0 || texts.some((text) => text.includes("node:test"));
}
