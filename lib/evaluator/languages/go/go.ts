/** Go: parsed at each write, compiled and examined as a whole at the gate, tested by `go test`. */
import { headAndTail } from "../../../core/text/cut.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
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
import { mergeSyntax, mergeTests } from "../../report/merge-verdicts.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import { findGo } from "./find-go.ts";
import { findingsIn } from "./findings.ts";
import { goInstaller } from "./install-go.ts";
import { unreachedIn, withoutWhatIsMissing } from "./missing-modules.ts";
import { type GoCode, type GoModule, isGoCode, readCode } from "./modules.ts";
import { openEvents } from "./test-events.ts";
import { type GoTools, openTools } from "./tools.ts";

export const go: Language = {
  name: "Go",
  owns: (path) => path.endsWith(".go"),
  probes: { go: { find: findGo, without: "Go projects stay unchecked" } },
  installer: goInstaller,
  async prepare(tree, workspace) {
    const found = workspace.toolchain.tools?.go;
    if (found) await openTools(workspace, found, await readCode(tree));
  },
  syntax,
  tests,
};

async function syntax({ tree, paths, sinceLast }: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  if (!(paths ?? tree.files).some(go.owns)) return nothingToCheck;
  const found = workspace.toolchain.tools?.go;
  if (!found) return { ...withoutToolchain("a check for Go"), errors: [] };
  const files = tree.files.filter((path) => isGoCode(path) && (!paths || paths.includes(path)));
  const parsed = await parse(files, found, workspace);
  // Compiling looks at whole packages and their dependants: what a turn costs must not grow with them.
  if (parsed.status !== "passed" || (paths && !sinceLast)) return parsed;
  const code = await readCode(tree);
  const tools = await openTools(workspace, found, code);
  const all: SyntaxResult[] = [];
  for (const module of code.modules) all.push(await compile(module, tools, code));
  return mergeSyntax([parsed, ...all]);
}

/** Also what is built only on other systems, and what is no part of the program. */
async function parse(files: string[], { beside }: Tool, workspace: Workspace): Promise<SyntaxResult> {
  const gofmt = beside?.gofmt;
  if (!gofmt || files.length === 0) return { status: "passed", errors: [] };
  const argv = [gofmt, "-e", "-l", ...files.map((path) => `./${path}`)];
  const result = await workspace.run({ argv, outputBytes: 1024 * 1024 });
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  const { errors } = findingsIn(result.stderr, { folder: "", copy: "" });
  if (errors.length > 0) return { status: "failed", errors: firstOfEachLine(errors) };
  if (result.status === "exited" && result.exitCode === 0) return { status: "passed", errors: [] };
  return { status: "crashed", detail: `gofmt: ${headAndTail(result.stderr.trim(), 500)}`, errors: [] };
}

/** One mistake makes the parser stumble several times. */
const firstOfEachLine = (errors: Finding[]): Finding[] => {
  const first = new Map(errors.toReversed().map((error) => [`${error.path}:${error.line}`, error]));
  return [...first.values()].reverse().map((error) => ({ ...error, rule: "syntax" }));
};

async function compile(module: GoModule, tools: GoTools, code: GoCode): Promise<SyntaxResult> {
  const workspace = { folder: module.folder, copy: tools.folder };
  const made: Finding[] = module.made ? [{ path: "go.mod", message: madeWords(module), rule: "go.mod" }] : [];
  const examined = await tools.run(module, ["vet", "-json", "./..."]);
  if (examined.status === "timed_out") return { ...(tools.isWarm ? TIMED_OUT : notReady), errors: [] };
  const text = `${examined.stderr}\n${examined.stdout}`;
  const { errors, warnings } = findingsIn(text, workspace);
  if (examined.exitCode === 0) return { status: "passed", errors: [], warnings: [...made, ...warnings] };
  // Of each package it tells one error only: the compiler tells more.
  const built = errors.length > 0 ? await tools.run(module, ["build", "-o", "/dev/null", "./..."]) : undefined;
  const more = built ? findingsIn(`${built.stderr}\n${text}`, workspace).errors : [];
  const { findings, missing } = withoutWhatIsMissing(more, { text, module, code });
  if (findings.length > 0) return { status: "failed", errors: findings.toSorted(byPlace), warnings: made };
  return { ...(missing.length > 0 ? withoutPackages(missing) : refusal(text)), errors: [] };
}

const TIMED_OUT = { status: "timed_out" as const };
/** Our own limit was too short for the toolchain, which says nothing of the project. */
const notReady = withoutToolchain("Go's compiled standard library, which a later check goes on to make,");

/** Packages are compiled side by side. */
const byPlace = (one: Finding, other: Finding): number =>
  one.path.localeCompare(other.path) || (one.line ?? 0) - (other.line ?? 0);

const madeWords = ({ name }: GoModule): string =>
  `there is no go.mod: one for a module called "${name}" was made for the check, in a copy`;

const withoutPackages = (names: string[]): Pick<SyntaxResult, "status" | "reason" | "detail"> => ({
  status: "not_run",
  reason: "package_missing",
  detail: names.map((name) => `package ${name} is not available here`).join("\n"),
});

/** Go could not even begin. */
function refusal(text: string): Pick<SyntaxResult, "status" | "reason" | "detail"> {
  const newer = /requires go >= (\S+) \(running go ([^\s;)]+)/.exec(text);
  if (newer) return withoutToolchain(`Go ${newer[1]}, which go.mod asks for (there is ${newer[2]}),`);
  const unreached = unreachedIn(text);
  if (unreached.length > 0) return withoutPackages(unreached);
  if (/C compiler "\S+" not found/.test(text)) return withoutToolchain("a C compiler, which cgo needs,");
  if (/matched no packages|no packages to vet|build constraints exclude all Go files/.test(text))
    return { status: "passed" };
  return { status: "failed", detail: headAndTail(text.replace(/^(?:go|#.*): ?/gm, "").trim(), 500) };
}

async function tests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree } = request;
  if (!tree.files.some(isTestFile)) return noTests;
  const found = workspace.toolchain.tools?.go;
  if (!found) {
    const none = withoutToolchain("a check for Go");
    return { ...noTests, ...none, output: none.detail };
  }
  const code = await readCode(tree);
  const tools = await openTools(workspace, found, code);
  const all: TestsResult[] = [];
  for (const module of code.modules)
    if (module.files.some(isTestFile)) all.push(await testModule(module, tools, { request, code }));
  return { ...mergeTests(all), runner: RUNNER };
}

const RUNNER = "go test";
const isTestFile = (path: string): boolean => path.endsWith("_test.go") && isGoCode(path);

async function testModule(
  module: GoModule,
  tools: GoTools,
  { request, code }: { request: CheckRequest; code: GoCode },
): Promise<TestsResult> {
  // Its own limit would speak as a panic; ours ends it in time, and its events say what was running.
  const events = openEvents(module);
  const argv = ["test", "-json", "-count=1", "-timeout=0", ...packagesOf(module, request)];
  const result = await tools.run(module, argv, events.readLine);
  const { report, output, truncated } = events.close();
  const begun = report.cases.length > 0 || report.running.length > 0;
  if (result.status === "timed_out" && !begun && !tools.isWarm)
    return { ...noTests, ...notReady, output: notReady.detail };
  const refused = !begun && result.status === "exited" && result.exitCode !== 0;
  const { status, reason, detail } = refused ? refusal(result.stderr) : { status: "failed" };
  if (status === "not_run") return { ...noTests, status, ...(reason ? { reason } : {}), ...toldBoth(detail) };
  const refusedCase = { name: RUNNER, status: "error" as const, message: detail ?? "" };
  const outcome = testOutcome({
    runner: RUNNER,
    result: { ...result, stdout: output, truncated: result.truncated || truncated },
    report: {
      ...report,
      ...(refused ? { cases: [refusedCase] } : {}),
      ...(result.status === "exited" && result.exitCode !== null ? { end: result.exitCode } : {}),
    },
    reports: true,
    unavailablePackages: (name) => isDeclared(name, code),
  });
  const said = [outcome.detail ?? "", module.made ? madeWords(module) : ""].filter((part) => part !== "").join("\n");
  return { ...outcome, ...(said === "" ? {} : { detail: said }) };
}

const toldBoth = (detail = ""): { detail: string; output: string } => ({ detail, output: detail });

const isDeclared = (name: string, { modules }: GoCode): boolean =>
  modules.some(({ required }) => required.some((each) => name === each || name.startsWith(`${each}/`)));

/** Go tests packages, not files. */
function packagesOf({ folder, files }: GoModule, { paths }: CheckRequest): string[] {
  const chosen = files.filter((path) => isTestFile(path) && paths?.includes(path));
  if (chosen.length === 0) return ["./..."];
  const below = chosen.map((path) => path.slice(folder === "" ? 0 : folder.length + 1));
  return [...new Set(below.map((path) => `./${path.slice(0, Math.max(0, path.lastIndexOf("/")))}`))];
}
