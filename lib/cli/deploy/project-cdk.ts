/** The project's own cdk on the project's own Node, in the user's terminal, until it ends or the user interrupts. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { projectFile } from "../../files/project-files.ts";
import type { Shell } from "../display/shell.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

export interface Cdk {
  /** The project's folder, with cdk.json. */
  root: string;
  node: string;
  program: string;
}

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

export interface CdkResult {
  code: number;
  lines: string[];
  /** CloudFormation continues with what it has started. */
  interrupted: boolean;
}

/** `interactive`: cdk may ask the user. */
export function runCdk({ cdk, shell, options, folder }: CdkRun, args: string[], interactive = false) {
  const { config, target, env } = options;
  const { region, profile } = target;
  const place = [
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(region === undefined ? [] : ["--region", region]),
  ];
  const stack = [config.stackName, "--output", folder, "-c", `l2mac=${JSON.stringify(config)}`];
  const [command = "", ...flags] = args;
  const child = spawn(cdk.node, [cdk.program, command, ...stack, ...flags, ...place, "--no-notices", "--no-ci"], {
    cwd: cdk.root,
    // Questions go to standard output, which must be a terminal for them; ours holds the API's address only.
    stdio: [interactive ? "inherit" : "ignore", interactive ? 2 : "pipe", "pipe"],
    env: environmentFor(env),
  });
  let interrupted = false;
  shell.signals.onStop(() => {
    interrupted = true;
    child.kill("SIGTERM");
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      shell.progress.write(chunk);
    });
  }
  return new Promise<CdkResult>((resolve) => {
    child.on("error", (error) => resolve({ code: 1, lines: [`cdk does not start: ${error.message}`], interrupted }));
    child.on("close", (code) => resolve({ code: code ?? 1, lines: text.split(/\r?\n/), interrupted }));
  });
}

/** cdk needs no key of a model server. */
const SECRET = /^(OPENAI_|AZURE_OPENAI_|ANTHROPIC_)|_API_KEY$/;

const environmentFor = (env: DeploymentOptions["env"]): DeploymentOptions["env"] => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name))),
  // Lambda accepts no image with attestations.
  BUILDX_NO_DEFAULT_ATTESTATIONS: "1",
  CDK_DISABLE_VERSION_CHECK: "1",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
});

/** `L2mac | 12/97 | 10:02:11 AM | CREATE_COMPLETE | AWS::S3::Bucket | …`, and rows of the table of permissions. */
const PROGRESS = /\| [A-Z_]+_(COMPLETE|IN_PROGRESS) |│|Resource (creation|update) cancelled/;

/** The lines that can hold the code of an error. Pure. */
export const errorsIn = (lines: readonly string[]): string =>
  lines.filter((line) => /fail|error|❌/i.test(line) && !PROGRESS.test(line)).join("\n");
