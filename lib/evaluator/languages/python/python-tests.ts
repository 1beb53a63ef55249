/** Runs the tests of a Python project as the project says, else by pytest, else by unittest. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import {
  type CheckRequest,
  noTests,
  type TestsResult,
  type Workspace,
  type WorkspaceCopy,
  withoutToolchain,
} from "../../language.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import { asArgument } from "../../process/as-argument.ts";
import { mergeTests } from "../../report/merge-verdicts.ts";
import { readReport } from "../../report/read-report.ts";
import { newKey } from "../../report/sealed-lines.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import type { Tree } from "../../tree.ts";
import { LATER, type OwnPython, ownPythonOf } from "./own-environment.ts";
import { manifestFolders } from "./python-manifests.ts";
import { readPythonManifests } from "./python-metadata.ts";
import { unavailablePackages, withStartFailure } from "./python-packages.ts";
import { runnerOf } from "./python-runner.ts";
import { declaredCommand, type TestCommand, upFrom } from "./test-command.ts";
import { toxVariables } from "./tox.ts";

export const isTestFile = (path: string): boolean => /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(path);

/** Where a project may name its tests as it likes. */
export const SETTINGS = new Set(["pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"]);

export async function runPythonTests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree } = request;
  const { python } = workspace.toolchain;
  if (!tree.files.some(isTestFile) && !tree.files.some((path) => SETTINGS.has(path))) return noTests;
  if (!python) return { ...noTests, ...withoutToolchain("python3"), output: withoutToolchain("python3").detail };
  const copy = await workspace.copy();
  const own = await ownPythonOf(tree, workspace, copy);
  const program = own?.program ?? workspace.environment?.python ?? python;
  const found: TestsResult[] = [];
  for (const suite of await suitesOf(request)) {
    const result = await runSuite(suite, { request, workspace, copy, program, own });
    if (result.status !== "not_found" || found.length === 0) found.push(result);
  }
  const ran = found.filter(({ status }) => status !== "not_found");
  return ran.length > 0 ? mergeTests(ran) : (found[0] ?? noTests);
}

/** The tests of one folder of the tree, with paths from there. */
interface Suite {
  below: string;
  files: string[];
  /** Those that are asked for. */
  chosen: string[];
  command: TestCommand | undefined;
  /** What its commands find in their environment. */
  variables: (folder: string) => Record<string, string>;
  /** Whether its settings say where tests are or how they are called. */
  isSettled: boolean;
}

async function suitesOf({ tree, paths }: CheckRequest): Promise<Suite[]> {
  const all = tree.files.filter(isTestFile);
  const folders = await suiteFolders(tree, all);
  const suites: Suite[] = [];
  for (const below of folders) {
    const inner = (path: string): boolean =>
      below === "" ? !folders.some((one) => one !== "" && path.startsWith(`${one}/`)) : path.startsWith(`${below}/`);
    const from = (path: string): string => path.slice(below === "" ? 0 : below.length + 1);
    const files = all.filter(inner).map(from);
    const chosen = all.filter((path) => inner(path) && paths?.includes(path)).map(from);
    if (paths && chosen.length === 0 && all.some((path) => paths.includes(path))) continue;
    const settings = await settingsOf(join(tree.folder, below), files);
    suites.push(inItsFolder({ below, files, chosen, ...settings }));
  }
  return suites;
}

/** Where its command runs in a folder of the project: what is chosen from outside of it runs as usual. */
function inItsFolder(suite: Suite): Suite {
  const folder = suite.command?.folder;
  if (folder === undefined) return suite;
  const inside = (paths: string[]): string[] => paths.filter((path) => path.startsWith(`${folder}/`));
  const cut = (paths: string[]): string[] => inside(paths).map((path) => path.slice(folder.length + 1));
  if (inside(suite.files).length === 0 || inside(suite.chosen).length < suite.chosen.length)
    return { ...suite, command: undefined };
  const { below, files, chosen, variables } = suite;
  return {
    ...suite,
    below: posix.join(below, folder),
    files: cut(files),
    chosen: cut(chosen),
    variables: (at) => variables(posix.join(at, upFrom(folder))),
  };
}

/** Each folder with packages of its own, and the root if tests lie outside them. */
async function suiteFolders({ folder, files }: Tree, tests: string[]): Promise<string[]> {
  const found = await manifestFolders(folder);
  const declared = found.length > 0 ? found : [""];
  const managed = files
    .filter((path) => /^(?:[^/]+\/)?manage\.py$/.test(path))
    .map((path) => path.replace(/\/?manage\.py$/, ""));
  const [only = ""] = managed;
  if (
    declared.includes("") &&
    managed.length === 1 &&
    tests.length > 0 &&
    tests.every((path) => path.startsWith(only === "" ? "" : `${only}/`))
  )
    return [only];
  const inside = declared.filter((below) => below === "" || tests.some((path) => path.startsWith(`${below}/`)));
  const isOutside = tests.some((path) => !inside.some((below) => below === "" || path.startsWith(`${below}/`)));
  return inside.length === 0 || isOutside ? [...new Set([...inside, ""])] : inside;
}

const PYTEST_SECTION = /^\[(?:pytest|tool:pytest|tool\.pytest(?:\.ini_options)?)\]/m;
const SETTLED = /^[ \t]*["']?(?:testpaths|python_files|collect_imported_tests)["']?[ \t]*=/m;

async function settingsOf(
  folder: string,
  files: string[],
): Promise<Pick<Suite, "command" | "isSettled" | "variables">> {
  const texts = await Promise.all([...SETTINGS].map(async (name) => (await readManifestText(folder, name)).text ?? ""));
  const hasPytest = texts.some((text) => PYTEST_SECTION.test(text));
  const manifests = await readPythonManifests(folder);
  const command = declaredCommand(manifests) ?? (hasPytest ? undefined : await djangoCommand(folder, files));
  return {
    command,
    variables: (at) => toxVariables(manifests, at),
    isSettled: texts.some((text) => PYTEST_SECTION.test(text) && SETTLED.test(text)),
  };
}

/** Tests of Django need what its own command sets up, unless a plugin of pytest does. */
async function djangoCommand(folder: string, files: string[]): Promise<TestCommand | undefined> {
  const { text = "" } = await readManifestText(folder, "manage.py");
  if (!text.includes("DJANGO_SETTINGS_MODULE")) return undefined;
  const [conftest, ...sources] = await Promise.all(
    ["conftest.py", ...files.slice(0, 50)].map((path) => readFile(join(folder, path), "utf8").catch(() => "")),
  );
  const byPytest = [conftest, ...sources].some((source) =>
    /\bdjango_db\b|django\.setup\(|settings\.configure\(/.test(source ?? ""),
  );
  return byPytest ? undefined : { runner: "unittest", arguments: ["manage.py", "test"] };
}

interface SuiteContext {
  request: CheckRequest;
  workspace: Workspace;
  copy: WorkspaceCopy;
  program: string;
  own: OwnPython | undefined;
}

const PYTEST = ["-q", "--rootdir=.", "--tb=short", "--color=no", "--continue-on-collection-errors"];

async function runSuite(suite: Suite, context: SuiteContext): Promise<TestsResult> {
  const { request, workspace, copy, program, own } = context;
  const { tree } = request;
  const runner = suite.command?.runner ?? (await usualRunner(suite, context));
  if (runner === "unittest" && suite.files.length === 0) return noTests;
  const report = copy.newReport();
  const key = newKey();
  const order = {
    report,
    key,
    options: PYTEST,
    folders: own?.roots ?? foldersOf(tree, copy.folder),
    files: suite.chosen.length > 0 ? suite.chosen : suite.files,
    plugin: own?.isPlugin ?? false,
    everything: suite.chosen.length === 0 && !suite.command && !suite.isSettled,
  };
  const result = await copy.run({
    argv: [program, join(workspace.scripts, `run-${runner}.py`), ...argumentsOf(suite, runner)],
    stdin: JSON.stringify(order),
    below: suite.below,
    env: { ...suite.variables(join(copy.folder, suite.below)), ...(own ? { ...own.env, [LATER]: "1" } : {}) },
  });
  return prefixed(
    suite.below,
    testOutcome({
      runner,
      result,
      report: withStartFailure(await readReport(report, key), result, runner),
      reports: true,
      unavailablePackages: await unavailablePackages(tree, workspace.environment),
    }),
  );
}

async function usualRunner({ below, files }: Suite, { request, program, workspace, copy, own }: SuiteContext) {
  if (!own) return runnerOf(program, workspace.toolchain, copy);
  if (!own.hasPytest) return "unittest";
  // It is only lent: what was written for unittest alone is run by unittest alone.
  return own.lendsPytest && (await isForUnittest(join(request.tree.folder, below), files)) ? "unittest" : "pytest";
}

async function isForUnittest(folder: string, files: string[]): Promise<boolean> {
  const settings = [...SETTINGS, "conftest.py", "tests/conftest.py"];
  const texts = await Promise.all(
    [...settings, ...files].map(async (path) => (await readManifestText(folder, path)).text ?? ""),
  );
  const sources = texts.slice(settings.length);
  const hasCases = sources.some((text) => /\bTestCase\b/.test(text));
  return (
    hasCases &&
    !texts.some((text) => /pytest/.test(text)) &&
    !sources.some((text) => /^(?:async )?def test/m.test(text))
  );
}

function argumentsOf({ command, chosen, files }: Suite, runner: string): string[] {
  if (runner === "pytest") {
    const given = command?.arguments ?? [];
    const options = chosen.length > 0 ? given.filter((word, at) => !isPlace(word, given[at - 1], files)) : given;
    return [...options, ...chosen.map(asArgument)];
  }
  if (!command) return (chosen.length > 0 ? chosen : files).map(asArgument);
  if (chosen.length === 0) return ["plain", ...command.arguments];
  const isDjango = /manage\.py$/.test(command.arguments[0] ?? "");
  return isDjango ? ["plain", ...command.arguments, ...chosen.map(moduleOf)] : chosen.map(asArgument);
}

const moduleOf = (path: string): string => path.replace(/\.py$/, "").replaceAll("/", ".");

/** A file or folder of tests, and no value of an option. */
const isPlace = (word: string, before: string | undefined, files: string[]): boolean => {
  const place = word.replace(/^\.\//, "").replace(/\/$/, "").split("::")[0] ?? "";
  const isValue =
    before !== undefined && /^(?:-[ckmopW]|--[\w-]+)$/.test(before) && !/^--(?:verbose|cov|strict\S*)$/.test(before);
  return (
    !word.startsWith("-") &&
    !isValue &&
    (place === "." || files.some((path) => path === place || path.startsWith(`${place}/`)))
  );
};

const prefixed = (below: string, result: TestsResult): TestsResult =>
  below === "" ? result : { ...result, cases: result.cases.map((one) => ({ ...one, name: `${below}/${one.name}` })) };

/** A project with a `src` folder is meant to be installed; its own code is never given to an installer. */
const foldersOf = ({ files }: Tree, folder: string): string[] =>
  files.some((path) => path.startsWith("src/") && path.endsWith(".py")) ? [join(folder, "src")] : [];
