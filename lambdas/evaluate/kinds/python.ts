/** Python: every file compiled in one process; tests by pytest, or by unittest where pytest is not to be had. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Asked,
  type Kind,
  noTests,
  nothingToCheck,
  type Place,
  type SyntaxFound,
  type TestsFound,
  withoutToolchain,
} from "../kind.ts";
import { readReport } from "../read-report.ts";
import { runChecker } from "../run-checker.ts";
import { testOutcome } from "../test-outcome.ts";
import type { Tree } from "../tree.ts";
import { couldNotBeHad, withStartFailure } from "./python-packages.ts";

export const python: Kind = { name: "Python", owns: (path) => path.endsWith(".py"), syntax, tests, testFiles };

async function syntax({ tree, paths }: Asked, place: Place): Promise<SyntaxFound> {
  if (paths && !paths.some(python.owns)) return nothingToCheck;
  const program = pythonOf(place);
  if (!program) return { ...withoutToolchain("python3"), errors: [] };
  const script = join(place.scripts, "check-python.py");
  const answer = await runChecker(place, [place.toolchain.python ?? program, "-I", "-B", script], {
    tree: tree.files,
    paths: paths ?? null,
  });
  if ("status" in answer) return answer;
  return { status: answer.findings.length > 0 ? "failed" : "passed", errors: answer.findings };
}

async function tests(asked: Asked, place: Place): Promise<TestsFound> {
  const { tree } = asked;
  if (!tree.files.some(isTestFile) && !tree.files.some((path) => SETTINGS.has(path))) return noTests;
  const program = pythonOf(place);
  if (!program) return { ...noTests, ...withoutToolchain("python3"), output: withoutToolchain("python3").detail };
  const copy = await place.copy();
  const probe = await copy.run({ argv: [program, "-I", "-c", "import pytest"] });
  const runner = probe.exitCode === 0 ? "pytest" : "unittest";
  const chosen = chooseFiles(asked, runner);
  if (runner === "unittest" && chosen.length === 0) return noTests;
  const report = copy.newReport();
  const result = await copy.run({
    argv: [program, ...(runner === "pytest" ? PYTEST : [join(place.scripts, "run-unittest.py")]), ...chosen],
    env: { L2MAC_REPORT: report, PYTHONPATH: pathOf(asked, place, copy.folder) },
  });
  return testOutcome({
    runner,
    result,
    report: withStartFailure(await readReport(report), result, runner),
    reports: true,
    couldNotBeHad: await couldNotBeHad(tree, place.environment),
  });
}

const PYTEST = [
  ...["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "l2mac_pytest_report", "--rootdir=."],
  ...["--tb=short", "--color=no", "--continue-on-collection-errors"],
];

function chooseFiles({ tree, paths }: Asked, runner: string): string[] {
  const all = tree.files.filter(isTestFile);
  const chosen = all.filter((path) => paths?.includes(path));
  if (chosen.length > 0 || runner === "unittest") return chosen.length > 0 ? chosen : all;
  // It overlooks files with the plainest name of all, unless they are named.
  return all.some((path) => /(?:^|\/)tests?\.py$/.test(path)) ? all : [];
}

const isTestFile = (path: string): boolean => /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(path);

/** What a project names otherwise, and what it takes from the documentation of its code, cannot be told from the code. */
async function testFiles({ folder, files }: Tree): Promise<string[] | undefined> {
  for (const path of files.filter((one) => SETTINGS.has(one)))
    if (/python_files|doctest/.test(await readFile(join(folder, path), "utf8"))) return undefined;
  return files.filter(isTestFile);
}

/** Where a project may name its tests as it likes. */
const SETTINGS = new Set(["pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"]);

const pythonOf = (place: Place): string | undefined =>
  place.toolchain.python === undefined ? undefined : (place.environment?.python ?? place.toolchain.python);

/** A project with a `src` folder is meant to be installed; its own code is never given to an installer. */
function pathOf({ tree }: Asked, place: Place, folder: string): string {
  const installed = tree.files.some((path) => path.startsWith("src/") && path.endsWith(".py"));
  return [place.scripts, ...(installed ? [join(folder, "src")] : [])].join(":");
}
