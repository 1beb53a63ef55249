/** The project's own cdk: finds it, and runs it in the user's terminal until it ends or the user interrupts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type Cdk, type CdkResult, runCdk } from "../../deployment/cdk.ts";
import { projectFile } from "../../files/project-files.ts";
import type { Shell } from "../display/shell.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

export function projectCdk(): Cdk {
  const windows = process.platform === "win32";
  return {
    root: projectFile("."),
    node: projectFile(windows ? "node_modules/node/bin/node.exe" : "node_modules/node/bin/node"),
    program: projectFile("node_modules/aws-cdk/bin/cdk"),
  };
}

/** The npm package contains no stack to deploy, so these commands need a clone. */
export function requireCdk({ root, node, program }: Cdk, command: string): void {
  if (!existsSync(join(root, "cdk.json"))) {
    throw new UserError(`l2mac ${command} needs a clone of the project: the package contains no stack.`, {
      exitCode: 3,
      remedy: `Clone the repository that this package was built from, then in it: npm ci && npx l2mac ${command}`,
    });
  }
  if (existsSync(node) && existsSync(program)) return;
  throw new UserError("The project's cdk and Node are not installed.", {
    exitCode: 3,
    remedy: `In ${root}: npm ci --ignore-scripts=false, then the same command again.`,
  });
}

export interface CdkRun {
  cdk: Cdk;
  shell: Shell;
  options: DeploymentOptions;
  /** Where the stack is synthesised to. */
  folder: string;
}

/** `interactive`: cdk may ask the user. */
export async function runInTerminal(
  { cdk, shell, options }: CdkRun,
  args: string[],
  interactive = false,
): Promise<CdkResult & { interrupted: boolean }> {
  const stopped = new AbortController();
  shell.signals.onStop(() => stopped.abort());
  const { region, profile } = options.target;
  const place = [
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(region === undefined ? [] : ["--region", region]),
  ];
  const call = { args: [...args, ...place], env: options.env, output: shell.progress, interactive };
  const result = await runCdk(cdk, { ...call, signal: stopped.signal });
  return { ...result, interrupted: stopped.signal.aborted };
}
