/** The project's own TypeScript compilers, where they were installed with the project's packages. */

import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { headAndTail } from "../../../core/text/cut.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { SyntaxResult, Workspace } from "../../language.ts";
import { mergeSyntax } from "../../report/merge-verdicts.ts";
import type { Tree } from "../../tree.ts";
import { modulesAt } from "./installed-modules.ts";
import { withoutMissing } from "./missing-types.ts";
import { packagesIn } from "./project-packages.ts";

const COMPILER = "typescript/bin/tsc";
const ERRORS = 100;

export interface CompiledProject {
  /** The folder with its settings. */
  below: string;
  /** Files of settings, relative to that folder. */
  settings: string[];
  /** The compiler, relative to the tree. */
  compiler: string;
}

/** One for each package with settings and a compiler. */
export async function compiledProjects(tree: Tree, { environment }: Workspace): Promise<CompiledProject[]> {
  return (await packagesIn(tree)).flatMap(({ below, files }) => {
    const modules = modulesAt(environment, below).find(({ folder }) => existsSync(join(folder, COMPILER)));
    if (!modules || !files.includes("tsconfig.json")) return [];
    const compiler = posix.join(modules.below, "node_modules", COMPILER);
    return [{ below, compiler, settings: settingsIn(join(tree.folder, below), files) }];
  });
}

/** Settings that name no file of their own only refer to others. */
function settingsIn(folder: string, files: string[]): string[] {
  const text = readFileSync(join(folder, "tsconfig.json"), "utf8").slice(0, 100_000);
  if (!/"files"\s*:\s*\[\s*\]/.test(text)) return ["tsconfig.json"];
  const referred = [...text.matchAll(/"path"\s*:\s*"([^"]+)"/g)].map(([, path = ""]) =>
    posix.normalize(path.endsWith(".json") ? path : `${path}/tsconfig.json`),
  );
  const own = referred.filter((path) => files.includes(path));
  return own.length > 0 ? own : ["tsconfig.json"];
}

export async function compile(projects: CompiledProject[], workspace: Workspace): Promise<SyntaxResult> {
  const found: SyntaxResult[] = [];
  for (const project of projects)
    for (const settings of project.settings) found.push(await compileOne(project, settings, workspace));
  const all = mergeSyntax(found);
  return { ...all, errors: all.errors.slice(0, ERRORS) };
}

async function compileOne(
  { below, compiler }: CompiledProject,
  settings: string,
  workspace: Workspace,
): Promise<SyntaxResult> {
  const copy = await workspace.copy();
  const argv = [workspace.toolchain.node, join(copy.folder, compiler), "--noEmit", "--pretty", "false", "-p", settings];
  const result = await copy.run({ argv, below, outputBytes: 1024 * 1024 });
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  if (result.status === "exited" && result.exitCode === 0) return { status: "passed", errors: [] };
  const listed = findingsIn(result.stdout, settings).map((one) => ({ ...one, path: posix.join(below, one.path) }));
  const { errors, missing } = withoutMissing(listed, workspace.environment?.missing ?? []);
  const own = errors.filter(({ path }) => !path.startsWith("../") && !/(?:^|\/)node_modules\//.test(path));
  if (own.length > 0) return { status: "failed", errors: own };
  if (missing.length > 0)
    return { status: "not_run", reason: "package_missing", detail: missing.slice(0, 5).join(", "), errors: [] };
  // Only the types of packages do not fit each other.
  if (errors.length > 0) return { status: "passed", errors: [] };
  const said = headAndTail(`${result.stdout}\n${result.stderr}`.trim(), 500);
  return { status: "crashed", detail: `tsc ended with ${result.signal ?? result.exitCode}: ${said}`, errors: [] };
}

/** `path(line,column): error TS1234: what`, or without a place where it is about the settings. */
function findingsIn(output: string, settings: string): Finding[] {
  return [...output.matchAll(/^(?:(\S.*?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/gm)].map(
    ([, path, line, column, rule, message]) => ({
      path: path ?? settings,
      ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
      message: message ?? "",
      ...(rule === undefined ? {} : { rule }),
    }),
  );
}
