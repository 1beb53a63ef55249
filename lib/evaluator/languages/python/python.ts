/** Python: every file compiled in one process; tests by pytest, or by unittest where pytest is not to be had. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CheckRequest,
  type Language,
  nothingToCheck,
  type SyntaxResult,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import { runChecker, withWarnings } from "../../report/run-checker.ts";
import type { Tree } from "../../tree.ts";
import { pythonInstaller } from "./install-python.ts";
import { pythonDeclared } from "./python-declared.ts";
import { isTestFile, runPythonTests, SETTINGS } from "./python-tests.ts";

export const python: Language = {
  name: "Python",
  owns: (path) => path.endsWith(".py"),
  installer: pythonInstaller,
  syntax,
  tests: runPythonTests,
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

/** What a project names otherwise, and what it takes from the documentation of its code, cannot be seen in the code. */
async function testFiles({ folder, files }: Tree): Promise<string[] | undefined> {
  for (const path of files.filter((one) => SETTINGS.has(one)))
    if (/python_files|doctest/.test(await readFile(join(folder, path), "utf8"))) return undefined;
  return files.filter(isTestFile);
}

const pythonOf = (workspace: Workspace): string | undefined =>
  workspace.toolchain.python === undefined ? undefined : (workspace.environment?.python ?? workspace.toolchain.python);
