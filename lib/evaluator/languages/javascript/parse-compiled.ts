/** Files that Node cannot read (JSX), parsed by the compiler that was installed with the project's packages. */
import { join, posix } from "node:path";
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { Workspace } from "../../language.ts";
import { runChecker } from "../../report/run-checker.ts";
import type { Tree } from "../../tree.ts";
import { modulesAt } from "./installed-modules.ts";

/** `left`: files for which there is no compiler. A process of its own: it loads packages that the project chose. */
export async function parseCompiled(
  paths: string[],
  tree: Tree,
  workspace: Workspace,
): Promise<{ findings: Finding[]; left: string[] }> {
  const files = paths
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => ({ path, modules: foldersFor(path, workspace) }))
    .filter(({ modules }) => modules.length > 0);
  if (files.length === 0) return { findings: [], left: paths };
  const script = join(workspace.scripts, "parse-compiled.mjs");
  const argv = [workspace.toolchain.node, "--experimental-vm-modules", "--no-warnings", script];
  const answer = await runChecker(workspace, argv, { tree: tree.files, files });
  if ("status" in answer) return { findings: [], left: paths };
  const parsed = new Set(files.map(({ path }) => path).filter((path) => !answer.unchecked.includes(path)));
  return { findings: answer.findings, left: paths.filter((path) => !parsed.has(path)) };
}

const foldersFor = (path: string, { environment }: Workspace): string[] =>
  modulesAt(environment, posix.dirname(path)).map(({ folder }) => folder);
