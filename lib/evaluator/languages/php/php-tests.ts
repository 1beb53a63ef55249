/** Runs the tests of one PHP project by PHPUnit, or by its own script. */
import { headAndTail } from "../../../core/text/cut.ts";
import { noTests, type TestsResult, type Tool, type Workspace, withoutToolchain } from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import { readJunit } from "../../report/junit.ts";
import { beginningOf, type Report, reportedCase } from "../../report/read-report.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import type { Tree } from "../../tree.ts";
import { isOnPath } from "../declared/missing-program.ts";
import { runDeclared } from "../declared/run-declared.ts";
import { fitsComposer, packageOf } from "./composer-manifest.ts";
import type { PhpProject } from "./php-project.ts";

export interface PhpRun {
  tree: Tree;
  tool: Tool;
  workspace: Workspace;
  /** Only these test files. */
  paths?: string[];
}

const RUNNER = "phpunit";
const SETTINGS = { COMPOSER_ALLOW_SUPERUSER: "1", COMPOSER_DISABLE_NETWORK: "1", COMPOSER_NO_INTERACTION: "1" };
const SAFELY = ["--no-scripts", "--no-plugins", "--no-interaction"];
/** It looks for certificates before anything else, also where there is no network. */
const WITHOUT_TLS = `printf '{"config":{"disable-tls":true}}' > "$COMPOSER_HOME/config.json" && exec "$@"`;
const OUTPUT_BYTES = 8 * 1024 * 1024;
const MESSAGE_CHARS = 2_000;

export async function testProject(project: PhpProject, run: PhpRun): Promise<TestsResult> {
  if (project.tests.length === 0) return runScript(project, run);
  const program = await phpunitOf(project, run);
  if (!Array.isArray(program)) return program;
  const unready = (await withoutExtensions(project, run)) ?? (await makeAutoload(project, run));
  if (unready) return unready;
  const copy = await run.workspace.copy();
  const path = copy.newReport();
  const argv = [...program, "--log-junit", path, ...whereOf(project, run)];
  const result = await copy.run({ argv, below: project.folder, outputBytes: OUTPUT_BYTES });
  const { text, truncated } = await beginningOf(path);
  const root = project.folder === "" ? copy.folder : `${copy.folder}/${project.folder}`;
  return outcome(result, { project, cases: readJunit(text, (at) => caseName(at, root)), truncated });
}

/** A script that is no PHPUnit counts by its exit code, below the tree's own folder only. */
async function runScript({ folder }: PhpProject, { tree, workspace }: PhpRun): Promise<TestsResult> {
  const args = ["run-script", "--no-plugins", "--no-interaction", "test"];
  const below = folder === "" ? [] : ["--working-dir", folder];
  const name = "composer test";
  const declared = { name, program: "composer", args: [...below, ...args], callsKnownRunners: false };
  return (await runDeclared(declared, tree, workspace)).tests;
}

/** What is in the tree comes first; another version than the one that is asked for says nothing certain. */
async function phpunitOf(
  { files, folder, manifest }: PhpProject,
  { tool, workspace }: PhpRun,
): Promise<string[] | TestsResult> {
  const own = ["vendor/phpunit/phpunit/phpunit", "vendor/bin/phpunit"].find((path) => files.includes(path));
  if (own) return [tool.program, own];
  const wanted = manifest?.phpunit;
  const named = `phpunit/phpunit${wanted ? ` ${wanted}` : ""}`;
  if (!isOnPath(RUNNER, workspace)) return withoutPackages([named]);
  const copy = await workspace.copy();
  const { stdout } = await copy.run({ argv: [RUNNER, "--no-configuration", "--version"], below: folder });
  const version = /PHPUnit (\d+(?:\.\d+)*)/.exec(stdout)?.[1];
  if (!version) return { ...noTests, ...withoutToolchain(RUNNER), output: headAndTail(stdout, MESSAGE_CHARS) };
  return !wanted || fitsComposer(version, wanted) ? [RUNNER] : withoutPackages([`${named} (there is ${version})`]);
}

function withoutPackages(names: string[]): TestsResult {
  const detail = names.map((name) => `package ${name} is not available here`).join("\n");
  return { ...noTests, status: "not_run", reason: "package_missing", detail, output: detail, missingPackages: names };
}

/** Composer would refuse to install the project. */
async function withoutExtensions(
  { manifest, folder }: PhpProject,
  { tool, workspace }: PhpRun,
): Promise<TestsResult | undefined> {
  const wanted = manifest?.extensions ?? [];
  if (wanted.length === 0) return undefined;
  const copy = await workspace.copy();
  const { stdout } = await copy.run({ argv: [tool.program, "-m"], below: folder });
  const here = new Set(stdout.split("\n").map((line) => line.trim().toLowerCase().replaceAll(" ", "-")));
  const lacking = wanted.filter((name) => !here.has(name.toLowerCase()));
  return lacking.length > 0 ? withoutPackages(lacking.map((name) => `ext-${name}`)) : undefined;
}

/** Composer writes it from the manifest alone. Undefined: it is there, or there is none to write. */
async function makeAutoload(
  { files, folder, manifest }: PhpProject,
  { workspace }: PhpRun,
): Promise<TestsResult | undefined> {
  if (!manifest || files.includes("vendor/autoload.php")) return undefined;
  if (!isOnPath("composer", workspace)) {
    const none = withoutToolchain("composer, which makes vendor/autoload.php,");
    return { ...noTests, ...none, output: none.detail };
  }
  const copy = await workspace.copy();
  const env = { ...SETTINGS, COMPOSER_HOME: await workspace.newFolder() };
  const argv = ["/bin/sh", "-c", WITHOUT_TLS, "sh", "composer", "dump-autoload", ...SAFELY];
  const made = await copy.run({ argv, below: folder, env });
  if (made.status === "exited" && made.exitCode === 0) return undefined;
  return outcome(made, { project: undefined, cases: undefined, truncated: false });
}

function whereOf({ tests, settings, folder, files, manifest }: PhpProject, { paths }: PhpRun): string[] {
  const below = folder === "" ? "" : `${folder}/`;
  const chosen = paths ? tests.filter((path) => paths.includes(below + path)) : [];
  const bootstrap = manifest || files.includes("vendor/autoload.php") ? ["--bootstrap", "vendor/autoload.php"] : [];
  const [only] = chosen;
  if (only && chosen.length === 1) return [...(settings ? [] : bootstrap), only];
  if (settings) return [];
  const folders = new Set(tests.map((path) => (path.includes("/") ? (path.split("/")[0] ?? ".") : ".")));
  const [first = "."] = folders;
  return [...bootstrap, folders.size === 1 ? first : "."];
}

function caseName({ file = "", classname = "", name = "" }: Record<string, string>, root: string): string {
  const own = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : classname;
  return own === "" ? name : `${own} > ${name}`;
}

interface Found {
  project: PhpProject | undefined;
  /** Undefined: there is no report. */
  cases: Report["cases"] | undefined;
  truncated: boolean;
}

function outcome(result: CommandResult, { project, cases, truncated }: Found): TestsResult {
  const printed = `${result.stdout.trim()}\n${result.stderr.trim()}`.trim();
  const isBad = ({ status }: Report["cases"][number]): boolean => status === "failed" || status === "error";
  const all = [...(cases ?? [])];
  if (result.status === "exited" && result.exitCode !== 0 && !all.some(isBad))
    all.push({ name: RUNNER, status: "error", message: headAndTail(printed, MESSAGE_CHARS) });
  const below = project && project.folder !== "" ? `${project.folder}/` : "";
  return testOutcome({
    runner: RUNNER,
    result,
    report: {
      cases: all.map((one) =>
        reportedCase({
          ...one,
          name: one.name.includes(" > ") ? below + one.name : one.name,
          ...(isBad(one) ? missingIn(one, project) : {}),
        }),
      ),
      running: [],
      unseen: [],
      truncated,
      ...(all.length > 0 || cases ? { end: result.exitCode ?? 1 } : {}),
    },
    reports: true,
    unavailablePackages: (name) => name !== "",
  });
}

const NOT_FOUND = /(?:Class|Interface|Trait) "([\w\\]+)" not found|Call to undefined function ([\w\\]+)\(\)/;

/** A class of the project's own, or of PHP, is missing for another reason. */
function missingIn({ message = "" }: Report["cases"][number], project: PhpProject | undefined): { missing?: string } {
  const { packages = [], prefixes = [] } = project?.manifest ?? {};
  const symbol = NOT_FOUND.exec(message)
    ?.slice(1)
    .find((each) => each);
  const absent = packages.filter((name) => !project?.files.some((path) => path.startsWith(`vendor/${name}/`)));
  if (!symbol?.includes("\\") || absent.length === 0) return {};
  return prefixes.some((prefix) => prefix !== "" && symbol.startsWith(prefix))
    ? {}
    : { missing: packageOf(symbol, absent) };
}
