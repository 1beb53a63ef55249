/** Python: every file compiled in one process; tests by pytest, or by unittest where pytest is not to be had. */
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
import { asArgument } from "../../process/as-argument.ts";
import { readReport } from "../../report/read-report.ts";
import { runChecker, withWarnings } from "../../report/run-checker.ts";
import { newKey } from "../../report/sealed-lines.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import type { Tree } from "../../tree.ts";
import { pythonInstaller } from "./install-python.ts";
import { pythonDeclared } from "./python-declared.ts";
import { unavailablePackages, withStartFailure } from "./python-packages.ts";
import { runnerOf } from "./python-runner.ts";

export const python: Language = {
  name: "Python",
  owns: (path) => path.endsWith(".py"),
  installer: pythonInstaller,
  syntax,
  tests,
  testFiles,
};

async function syntax({ tree, paths }: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  if (paths && !paths.some(python.owns)) return nothingToCheck;
  const program = pythonOf(workspace);
  if (!program) return { ...withoutToolchain("python3"), errors: [] };
  const script = join(workspace.scripts, "check-python.py");
  const answer = await runChecker(workspace, [workspace.toolchain.python ?? program, "-I", "-B", script], {
    tree: tree.files,
    paths: paths ?? null,
    declared: await pythonDeclared(tree, workspace.environment?.python),
  });
  if ("status" in answer) return answer;
  return withWarnings({ status: answer.findings.length > 0 ? "failed" : "passed", errors: answer.findings }, answer);
}

async function tests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree } = request;
  if (!tree.files.some(isTestFile) && !tree.files.some((path) => SETTINGS.has(path))) return noTests;
  const program = pythonOf(workspace);
  if (!program) return { ...noTests, ...withoutToolchain("python3"), output: withoutToolchain("python3").detail };
  const copy = await workspace.copy();
  const runner = await runnerOf(program, workspace.toolchain, copy);
  const chosen = chooseFiles(request, runner);
  if (runner === "unittest" && chosen.length === 0) return noTests;
  const report = copy.newReport();
  const key = newKey();
  const order = {
    ...{ report, key, folders: foldersOf(request, copy.folder), options: PYTEST },
    files: chosen.length > 0 ? chosen : tree.files.filter(isTestFile),
  };
  const result = await copy.run({
    argv: [program, join(workspace.scripts, `run-${runner}.py`), ...chosen.map(asArgument)],
    stdin: JSON.stringify(order),
  });
  return testOutcome({
    runner,
    result,
    report: withStartFailure(await readReport(report, key), result, runner),
    reports: true,
    unavailablePackages: await unavailablePackages(tree, workspace.environment),
  });
}

const PYTEST = [
  ...["-q", "-p", "no:cacheprovider", "--rootdir=."],
  ...["--tb=short", "--color=no", "--continue-on-collection-errors"],
];

function chooseFiles({ tree, paths }: CheckRequest, runner: string): string[] {
  const all = tree.files.filter(isTestFile);
  const chosen = all.filter((path) => paths?.includes(path));
  if (chosen.length > 0 || runner === "unittest") return chosen.length > 0 ? chosen : all;
  // It overlooks files with the plainest name of all, unless they are named.
  return all.some((path) => /(?:^|\/)tests?\.py$/.test(path)) ? all : [];
}

const isTestFile = (path: string): boolean => /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(path);

/** What a project names otherwise, and what it takes from the documentation of its code, cannot be seen in the code. */
async function testFiles({ folder, files }: Tree): Promise<string[] | undefined> {
  for (const path of files.filter((one) => SETTINGS.has(one)))
    if (/python_files|doctest/.test(await readFile(join(folder, path), "utf8"))) return undefined;
  return files.filter(isTestFile);
}

/** Where a project may name its tests as it likes. */
const SETTINGS = new Set(["pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"]);

const pythonOf = (workspace: Workspace): string | undefined =>
  workspace.toolchain.python === undefined ? undefined : (workspace.environment?.python ?? workspace.toolchain.python);

/** A project with a `src` folder is meant to be installed; its own code is never given to an installer. */
const foldersOf = ({ tree }: CheckRequest, folder: string): string[] =>
  tree.files.some((path) => path.startsWith("src/") && path.endsWith(".py")) ? [join(folder, "src")] : [];
