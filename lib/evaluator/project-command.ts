/** Runs the one command that was asked for, in the copy of the tree: of what it writes, only what is to be kept comes back. */
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { AskedCommand } from "../core/ports.ts";
import type { Verdict } from "../core/verdict/verdict.ts";
import { keptFiles } from "./kept-files.ts";
import type { Workspace } from "./language.ts";
import { withOwnPython } from "./languages/python/own-environment.ts";
import { isProgram } from "./process/find-program.ts";
import type { CommandResult } from "./process/run-command.ts";
import type { Tree } from "./tree.ts";

export type CommandOutcome = { verdict: NonNullable<Verdict["command"]>; truncated: string[] };

const DEFAULT_SECONDS = 60;

export async function runProjectCommand(
  request: AskedCommand,
  tree: Tree,
  workspace: Workspace,
): Promise<CommandOutcome> {
  const own = await withOwnPython(tree, workspace);
  const argv = commandFor(request.argv, tree, own.workspace);
  if (!argv) return notFound(request.argv[0] ?? "");
  const copy = await workspace.copy();
  const result = await copy.run({
    argv,
    env: own.env,
    timeoutMs: (request.timeoutSeconds ?? DEFAULT_SECONDS) * 1000,
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
  });
  if (result.status === "not_found") return notFound(`${request.argv[0]}: ${result.stderr}`);
  const { exitCode, stdout, stderr } = result;
  const detail = result.signal ? { detail: `ended by ${result.signal}` } : {};
  const truncated = result.truncated ? ["the output of the command"] : [];
  const status = statusOf(result);
  const kept = request.keep && status === "passed" ? { kept: await keptFiles(request.keep, tree, copy.folder) } : {};
  return { verdict: { status, exitCode, stdout, stderr, ...detail, ...kept }, truncated };
}

/** Looked up here, because a sandbox reports a missing program as it would a failing one. */
export function commandFor([name, ...args]: string[], tree: Tree, workspace: Workspace): string[] | undefined {
  if (!name || name.includes("\0")) return undefined;
  const known = programOf(name, workspace);
  if (known) return [...known, ...args];
  if (name.includes("/")) return existsAt(resolve(tree.folder, name)) ? [name, ...args] : undefined;
  return workspace.path.split(delimiter).some((folder) => folder && isProgram(join(folder, name)))
    ? [name, ...args]
    : undefined;
}

/** The names that models use, whatever the programs are called on this computer. */
function programOf(name: string, { toolchain, environment }: Workspace): string[] | undefined {
  const python = toolchain.python && (environment?.python ?? toolchain.python);
  if (name === "node") return [toolchain.node];
  if (name === "npm" && toolchain.npm) return [toolchain.node, toolchain.npm];
  return /^python3?$/.test(name) && python ? [python] : undefined;
}

/** Copies of scripts are made executable; the tree's own files need not be. */
function existsAt(path: string): boolean {
  try {
    accessSync(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}

function statusOf({ status, exitCode }: CommandResult): NonNullable<Verdict["command"]>["status"] {
  if (status === "timed_out" || status === "crashed") return status;
  return exitCode === 0 ? "passed" : "failed";
}

const notFound = (what: string): CommandOutcome => ({
  verdict: {
    status: "not_run",
    reason: "no_toolchain",
    detail: `${what} is not available here`,
    exitCode: null,
    stdout: "",
    stderr: "",
  },
  truncated: [],
});
