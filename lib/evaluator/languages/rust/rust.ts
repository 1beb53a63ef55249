/** Rust: compiled by cargo, without a network, and tested by `cargo test`; at each write files are only parsed. */
import { headAndTail } from "../../../core/text/cut.ts";
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
import { testOutcome } from "../../report/test-outcome.ts";
import { findingsIn, lackingIn, lackingToolIn } from "./cargo-messages.ts";
import { findCargo } from "./find-cargo.ts";
import { cargoInstaller } from "./install-cargo.ts";
import { cargoFolders, rootsOf } from "./packages.ts";
import { readTests } from "./test-output.ts";

export const rust: Language = {
  name: "Rust",
  owns: (path) => path.endsWith(".rs"),
  probes: { cargo: { find: findCargo, without: "Rust projects stay unchecked" } },
  installer: cargoInstaller,
  // Every package that the project uses is compiled with it.
  syntaxMs: 150_000,
  syntax,
  tests,
};

const LACKING = "cargo (install it, or choose another language)";
const RUNNER = "cargo test";
/** Of each stream: messages of the compiler and lines of tests must come whole. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

async function syntax({ tree, paths, sinceLast }: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const files = tree.files.filter((path) => rust.owns(path) && (!paths || paths.includes(path)));
  if (files.length === 0 && !(paths ?? []).some(rust.owns)) return nothingToCheck;
  const cargo = workspace.toolchain.tools?.cargo;
  if (!cargo) return { ...withoutToolchain(LACKING), errors: [] };
  const parsed = await parse(files, cargo, workspace);
  const roots = rootsOf(cargoFolders(tree));
  // Compiling takes all packages together: what a turn costs must not grow with them.
  if (parsed.status === "failed" || (paths && !sinceLast) || roots.length === 0) return parsed;
  const target = await targetFolder(workspace);
  const all: SyntaxResult[] = [];
  for (const root of roots) all.push(await compile(root, { cargo, workspace, target }));
  return mergeSyntax(all);
}

async function parse(files: string[], { beside }: Tool, workspace: Workspace): Promise<SyntaxResult> {
  const rustfmt = beside?.rustfmt;
  if (!rustfmt || files.length === 0) return { status: "passed", errors: [] };
  const argv = [rustfmt, "--edition=2021", "--check", "--color=never", ...files.map((path) => `./${path}`)];
  const result = await workspace.run({ argv, outputBytes: 1024 * 1024 });
  const found = result.stderr.matchAll(/^error(?:\[\w+\])?: (.+)\n\s+--> (.+?):(\d+):(\d+)/gm);
  const errors = [...found].flatMap(([, message = "", path = "", line, column]) => {
    const own = files.find((file) => path === file || path.endsWith(`/${file}`));
    const isOwn = own !== undefined && !/unresolved module|file not found for module/.test(message);
    return isOwn ? [{ path: own, line: Number(line), column: Number(column), message, rule: "syntax" }] : [];
  });
  return { status: errors.length > 0 ? "failed" : "passed", errors };
}

interface CargoRun {
  cargo: Tool;
  workspace: Workspace;
  target: string;
  threads?: Record<string, string>;
}

/** One folder of what was compiled serves a whole evaluation. */
const targets = new WeakMap<Workspace, Promise<string>>();

function targetFolder(workspace: Workspace): Promise<string> {
  const folder = targets.get(workspace) ?? workspace.newFolder();
  targets.set(workspace, folder);
  return folder;
}

/** On one stream, so that it is seen to which program a line belongs. */
async function run(
  below: string,
  args: string[],
  { cargo, workspace, target, threads }: CargoRun,
): Promise<CommandResult> {
  const copy = await workspace.copy();
  const joined = args.includes("--message-format=json") ? [] : ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh"];
  return copy.run({
    argv: [...joined, cargo.program, ...args],
    below,
    env: {
      CARGO_TARGET_DIR: target,
      CARGO_TERM_COLOR: "never",
      CARGO_NET_OFFLINE: "true",
      CARGO_INCREMENTAL: "0",
      ...threads,
    },
    outputBytes: OUTPUT_BYTES,
  });
}

const ALL = ["--workspace", "--offline", "--no-fail-fast"];

async function compile(root: string, cargoRun: CargoRun): Promise<SyntaxResult> {
  const result = await run(root, ["test", ...ALL, "--no-run", "--message-format=json"], cargoRun);
  const { errors, warnings } = findingsIn(result.stdout, root);
  if (result.status === "exited" && result.exitCode === 0) return { status: "passed", errors: [], warnings };
  if (errors.length > 0) return { status: "failed", errors, warnings };
  return { ...refusal(result), errors: [] };
}

/** Cargo could not begin, or not end. */
function refusal({
  status,
  signal,
  stderr,
  stdout,
}: CommandResult): Pick<SyntaxResult, "status" | "reason" | "detail"> {
  const printed = `${stdout}\n${stderr}`;
  const lacking = lackingIn(printed);
  if (lacking.length > 0) {
    const detail = lacking.map((name) => `package ${name} is not available here`).join("\n");
    return { status: "not_run", reason: "package_missing", detail };
  }
  const tool = lackingToolIn(printed);
  if (tool) return withoutToolchain(tool);
  if (status === "timed_out") return withoutToolchain("the time to compile this project");
  if (status === "crashed") return { status: "crashed", detail: `cargo was ended by ${signal}` };
  return { status: "failed", detail: headAndTail(errorsIn(printed), 1_000) };
}

const errorsIn = (text: string): string => {
  const at = text.search(/^error(?:\[|:)/m);
  return (at === -1 ? text : text.slice(at)).trim();
};

async function tests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree } = request;
  const cargo = workspace.toolchain.tools?.cargo;
  if (!cargo) return { ...noTests, ...withoutToolchain(LACKING), output: withoutToolchain(LACKING).detail };
  const roots = rootsOf(cargoFolders(tree));
  if (roots.length === 0) return noTests;
  const target = await targetFolder(workspace);
  const threads = request.oneByOne ? { RUST_TEST_THREADS: "1" } : {};
  const all: TestsResult[] = [];
  for (const root of roots) all.push(await testPackages(root, request, { cargo, workspace, target, threads }));
  return { ...mergeTests(all), runner: RUNNER };
}

async function testPackages(root: string, request: CheckRequest, cargoRun: CargoRun): Promise<TestsResult> {
  const result = await run(root, ["test", ...ALL, ...chosenTests(root, request)], cargoRun);
  const report = readTests(result.stdout, result.status === "exited" ? result.exitCode : null);
  const begun = report.cases.length > 0 || report.running.length > 0;
  if (!begun && (result.status !== "exited" || result.exitCode !== 0)) {
    const { status, reason, detail = "" } = refusal(result);
    if (status === "not_run") return { ...noTests, status, ...(reason ? { reason } : {}), detail, output: detail };
    report.cases.push({ name: `${RUNNER} (build)`, status: "error", message: detail });
  }
  return testOutcome({ runner: RUNNER, result, report, reports: true, unavailablePackages: () => false });
}

/** Files of tests that are programs by themselves. */
function chosenTests(root: string, { paths = [] }: CheckRequest): string[] {
  const folder = root === "" ? "tests/" : `${root}/tests/`;
  const names = paths.flatMap((path) =>
    path.startsWith(folder) ? (/^([\w-]+)\.rs$/.exec(path.slice(folder.length))?.[1] ?? []) : [],
  );
  return names.length > 0 && names.length === paths.length ? names.flatMap((name) => ["--test", name]) : [];
}
