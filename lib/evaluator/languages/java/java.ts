/** Java: parsed at each write; compiled and tested by Maven, without a network, or compiled by javac where there is no build. */
import {
  type CheckRequest,
  type Language,
  noTests,
  nothingToCheck,
  type SyntaxResult,
  type TestsResult,
  type Tool,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import { mergeSyntax, mergeTests } from "../../report/merge-verdicts.ts";
import type { Tree } from "../../tree.ts";
import { findJdk, findMaven } from "./find-java.ts";
import { mavenInstaller } from "./install-maven.ts";
import { compileMaven, RUNNER, testMaven } from "./maven.ts";
import { javacErrorsIn, lackingToolIn } from "./maven-output.ts";
import { pomFolders, rootsOf } from "./poms.ts";

const isSource = (path: string): boolean => path.endsWith(".java");
const isPom = (path: string): boolean => /(?:^|\/)pom\.xml$/.test(path);

export const java: Language = {
  name: "Java",
  owns: (path) => isSource(path) || isPom(path),
  probes: {
    javac: { find: findJdk, without: "Java stays unchecked" },
    mvn: { find: findMaven, without: "projects of Maven stay unchecked" },
  },
  installer: mavenInstaller,
  // Maven compiles all modules and their tests.
  syntaxMs: 150_000,
  syntax,
  tests,
};

const JDK = "a JDK (apt-get install default-jdk-headless)";
const MAVEN = "mvn (apt-get install maven)";
const GRADLE =
  "a check for projects of Gradle (its build scripts are programs that need a network; a pom.xml for the same sources is checked)";
const isGradle = ({ files }: Tree): boolean => files.some((path) => /(?:^|\/)build\.gradle(?:\.kts)?$/.test(path));

async function syntax({ tree, paths, sinceLast }: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const files = tree.files.filter((path) => isSource(path) && (!paths || paths.includes(path)));
  const roots = rootsOf(pomFolders(tree));
  if (files.length === 0 && !(paths ?? tree.files).some(java.owns)) return nothingToCheck;
  const { javac, mvn } = workspace.toolchain.tools ?? {};
  if (!javac) return { ...withoutToolchain(JDK), errors: [] };
  const parsed = await parse(files, javac, workspace);
  // Compiling takes all modules together: what a turn costs must not grow with them.
  if (parsed.status !== "passed" || (paths && !sinceLast)) return parsed;
  if (roots.length === 0) return isGradle(tree) ? parsed : compilePlain(tree, javac, workspace);
  if (!mvn) return { ...withoutToolchain(MAVEN), errors: [] };
  const all: SyntaxResult[] = [];
  for (const root of roots) all.push(await compileMaven(root, { mvn, javac, workspace }));
  return mergeSyntax(all);
}

/** Files in one call: a command line holds no more. */
const AT_ONCE = 1_000;
/** What the compiler would do after parsing is left out; older ones have other names for it. */
const PARSE_ONLY = ["ifNoError", "ifError"].flatMap((when) => [
  `-XDshould-stop.${when}=PARSE`,
  `-XDshouldStopPolicy${when.replace("if", "If")}=PARSE`,
]);
const PLAIN = ["-J-XX:TieredStopAtLevel=1", "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "100", "-nowarn"];

async function parse(files: string[], { program }: Tool, workspace: Workspace): Promise<SyntaxResult> {
  const all: SyntaxResult[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const own = files.slice(at, at + AT_ONCE).map((path) => `./${path}`);
    all.push(opinionOf(await workspace.run({ argv: [program, ...PLAIN, ...PARSE_ONLY, ...own] })));
  }
  return all.length > 0 ? mergeSyntax(all) : { status: "passed", errors: [] };
}

/** What is newer than this compiler is no mistake. */
const NEWER = /\(use (?:-source \d+ or higher|--enable-preview)|preview feature/;

function opinionOf({ status, exitCode, signal, stderr, stdout }: CommandResult): SyntaxResult {
  const printed = `${stderr}\n${stdout}`;
  if (status === "timed_out") return { ...withoutToolchain("the time to parse this project"), errors: [] };
  if (status === "crashed") return { status: "crashed", detail: `javac was ended by ${signal}`, errors: [] };
  if (NEWER.test(printed)) return { ...withoutToolchain(lackingToolIn(printed) ?? "a newer JDK"), errors: [] };
  const errors = javacErrorsIn(printed);
  if (exitCode === 0 && errors.length === 0) return { status: "passed", errors };
  if (errors.length > 0) return { status: "failed", errors };
  return { status: "crashed", detail: `javac ended with ${exitCode}: ${printed.trim().slice(0, 500)}`, errors };
}

/** With the archives that lie in the tree. Programs that do not belong together are only parsed. */
async function compilePlain(tree: Tree, { program }: Tool, workspace: Workspace): Promise<SyntaxResult> {
  const files = tree.files.filter((path) => isSource(path) && !/(?:^|\/)(?:module|package)-info\.java$/.test(path));
  if (files.length === 0 || files.length > AT_ONCE) return { status: "passed", errors: [] };
  const archives = tree.files.filter((path) => path.endsWith(".jar")).join(":");
  const classPath = archives === "" ? [] : ["-classpath", archives];
  const made = await workspace.newFolder();
  const argv = [program, ...PLAIN, "-implicit:none", ...classPath, "-d", made, ...files.map((path) => `./${path}`)];
  const opinion = opinionOf(await workspace.run({ argv }));
  const lacking = opinion.errors.flatMap(({ message }) => /^package (\S+) does not exist$/.exec(message)?.[1] ?? []);
  if (opinion.errors.some(({ message }) => /^duplicate class|should be declared in a file/.test(message)))
    return { status: "passed", errors: [] };
  if (lacking.length === 0) return opinion;
  const detail = [...new Set(lacking)].map((name) => `package ${name} is not available here`).join("\n");
  return { status: "not_run", reason: "package_missing", detail, errors: [] };
}

async function tests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree } = request;
  const roots = rootsOf(pomFolders(tree));
  const { javac, mvn } = workspace.toolchain.tools ?? {};
  const isBuilt = roots.length > 0;
  if (!isBuilt && !(isGradle(tree) && tree.files.some(isSource))) return noTests;
  if (!isBuilt) return unchecked(GRADLE);
  if (!javac) return unchecked(JDK);
  if (!mvn) return unchecked(MAVEN);
  const all: TestsResult[] = [];
  for (const root of roots) all.push(await testMaven(root, request, { mvn, javac, workspace }));
  return { ...mergeTests(all), runner: RUNNER };
}

const unchecked = (lacking: string): TestsResult => {
  const why = withoutToolchain(lacking);
  return { ...noTests, ...why, output: why.detail };
};
