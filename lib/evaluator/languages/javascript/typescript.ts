/** The project's own TypeScript compiler, where it was installed with the project's packages. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { headAndTail } from "../../../core/text/cut.ts";
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { SyntaxResult, Workspace } from "../../language.ts";
import type { Tree } from "../../tree.ts";
import { modulesAt } from "./installed-modules.ts";
import { withoutMissing } from "./missing-types.ts";

const COMPILER = "typescript/bin/tsc";
const ERRORS = 100;

export function hasCompiler(tree: Tree, { environment }: Workspace): boolean {
  const folder = modulesAt(environment, "")[0]?.folder;
  return tree.files.includes("tsconfig.json") && folder !== undefined && existsSync(join(folder, COMPILER));
}

export async function compile(workspace: Workspace): Promise<SyntaxResult> {
  const copy = await workspace.copy();
  const compiler = join(copy.folder, "node_modules", COMPILER);
  const argv = [workspace.toolchain.node, compiler, "--noEmit", "--pretty", "false"];
  const result = await copy.run({ argv, outputBytes: 1024 * 1024 });
  if (result.status === "timed_out") return { status: "timed_out", errors: [] };
  const { errors, missing } = withoutMissing(findingsIn(result.stdout), workspace.environment?.missing ?? []);
  if (result.status === "exited" && result.exitCode === 0) return { status: "passed", errors: [] };
  if (errors.length === 0 && missing.length > 0)
    return { status: "not_run", reason: "package_missing", detail: missing.slice(0, 5).join(", "), errors: [] };
  if (errors.length > 0) return { status: "failed", errors: errors.slice(0, ERRORS) };
  const said = headAndTail(`${result.stdout}\n${result.stderr}`.trim(), 500);
  return { status: "crashed", detail: `tsc ended with ${result.signal ?? result.exitCode}: ${said}`, errors: [] };
}

/** `path(line,column): error TS1234: what`, or without a place where it is about the settings. */
function findingsIn(output: string): Finding[] {
  return [...output.matchAll(/^(?:(\S.*?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/gm)].map(
    ([, path, line, column, rule, message]) => ({
      path: path ?? "tsconfig.json",
      ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
      message: message ?? "",
      ...(rule === undefined ? {} : { rule }),
    }),
  );
}
