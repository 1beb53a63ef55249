/** C and C++ that CMake builds: configured and compiled at the gate, tested by CTest. */
import { headAndTail } from "../../../core/text/cut.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
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
import { findProgram, plainTool } from "../../process/find-program.ts";
import type { CommandResult } from "../../process/run-command.ts";
import { readJunit } from "../../report/junit.ts";
import { beginningOf } from "../../report/read-report.ts";
import { testOutcome } from "../../report/test-outcome.ts";
import { findingsIn, lackingIn } from "./build-output.ts";

const MANIFEST = "CMakeLists.txt";
const SOURCE = /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)$/;
const RUNNER = "ctest";
const OUTPUT_BYTES = 8 * 1024 * 1024;

export const cmake: Language = {
  name: "C and C++",
  owns: (path) => SOURCE.test(path) || path === MANIFEST,
  probes: { cmake: { find: plainTool("cmake"), without: "projects of CMake stay unchecked" } },
  syntaxMs: 150_000,
  syntax,
  tests,
};

async function syntax({ tree, paths, sinceLast }: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  // Without the flags of its build, a file says nothing: it is compiled with the others, at the gate.
  if (!tree.files.includes(MANIFEST) || (paths && !sinceLast)) return nothingToCheck;
  const build = await buildOf(workspace);
  return build.refused ?? { status: "passed", errors: [], warnings: build.warnings };
}

interface Build {
  folder: string;
  warnings: Finding[];
  /** Why there is nothing to run. */
  refused?: SyntaxResult;
}

/** One build serves a whole evaluation. */
const builds = new WeakMap<Workspace, Promise<Build>>();

function buildOf(workspace: Workspace): Promise<Build> {
  const build = builds.get(workspace) ?? buildIn(workspace);
  builds.set(workspace, build);
  return build;
}

async function buildIn(workspace: Workspace): Promise<Build> {
  const program = workspace.toolchain.tools?.cmake?.program;
  if (!program) return { folder: "", warnings: [], refused: { ...withoutToolchain("cmake"), errors: [] } };
  const copy = await workspace.copy();
  const folder = await workspace.newFolder();
  const run = (args: string[]): Promise<CommandResult> =>
    copy.run({ argv: [program, ...args], outputBytes: OUTPUT_BYTES });
  const configured = await run([
    "-S",
    ".",
    "-B",
    folder,
    "-DCMAKE_BUILD_TYPE=Debug",
    "-DFETCHCONTENT_FULLY_DISCONNECTED=ON",
  ]);
  const isConfigured = configured.status === "exited" && configured.exitCode === 0;
  const result = isConfigured ? await run(["--build", folder, "--parallel", "2", "--", "-k"]) : configured;
  const { errors, warnings } = findingsIn(`${result.stdout}\n${result.stderr}`, copy.folder);
  if (result.status === "exited" && result.exitCode === 0) return { folder, warnings };
  if (errors.length > 0 && isConfigured) return { folder, warnings, refused: { status: "failed", errors, warnings } };
  return { folder, warnings, refused: { ...refusal(result), errors: [] } };
}

function refusal({
  status,
  signal,
  stdout,
  stderr,
}: CommandResult): Pick<SyntaxResult, "status" | "reason" | "detail"> {
  const printed = `${stderr}\n${stdout}`;
  const { packages, tool } = lackingIn(printed);
  if (packages.length > 0) {
    const detail = packages.map((name) => `package ${name} is not available here`).join("\n");
    return { status: "not_run", reason: "package_missing", detail };
  }
  if (tool) return withoutToolchain(tool);
  if (status === "timed_out") return withoutToolchain("the time to compile this project");
  if (status === "crashed") return { status: "crashed", detail: `cmake was ended by ${signal}` };
  return { status: "failed", detail: headAndTail(printed.trim(), 1_000) };
}

async function tests({ tree }: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  if (!tree.files.includes(MANIFEST)) return noTests;
  const { folder, refused } = await buildOf(workspace);
  if (refused) return refusedTests(refused);
  const cmakeProgram = workspace.toolchain.tools?.cmake?.program ?? "";
  const ctest = findProgram("ctest", [cmakeProgram.slice(0, cmakeProgram.lastIndexOf("/"))]);
  if (!ctest) return refusedTests({ ...withoutToolchain("ctest"), errors: [] });
  const copy = await workspace.copy();
  const path = copy.newReport();
  const argv = [ctest, "--test-dir", folder, "--output-on-failure", "--output-junit", path];
  const result = await copy.run({ argv, outputBytes: OUTPUT_BYTES });
  const { text, truncated } = await beginningOf(path);
  const cases = readJunit(text);
  if (cases?.length === 0 || /^No tests were found!!!$/m.test(result.stderr)) return noTests;
  const isOver = cases !== undefined && result.status === "exited" && result.exitCode !== null;
  return testOutcome({
    runner: RUNNER,
    result,
    report: {
      cases: cases ?? [],
      running: [],
      unseen: [],
      truncated,
      ...(isOver ? { end: result.exitCode ?? 1 } : {}),
    },
    reports: true,
    unavailablePackages: () => false,
  });
}

function refusedTests({ status, reason, detail = "", errors }: SyntaxResult): TestsResult {
  if (status === "not_run") return { ...noTests, status, ...(reason ? { reason } : {}), detail, output: detail };
  const [first] = errors;
  const message = detail || (first ? `${first.path}:${first.line}: ${first.message}` : "");
  const broken = { name: `${RUNNER} (build)`, status: "error" as const, message };
  return { ...noTests, status: "failed", runner: RUNNER, errors: 1, cases: [broken], output: message };
}
