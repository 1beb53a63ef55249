/** `l2mac destroy`: shows what is deleted and what is kept, deletes the stack, and prints how to remove the rest for good. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { findCaller } from "../../deployment/account.ts";
import type { AwsResult } from "../../deployment/aws-result.ts";
import { countRuns, emptyBucket } from "../../deployment/bucket.ts";
import { remedyFor } from "../../deployment/error-remedies.ts";
import { callerFindings } from "../../deployment/preflight-findings.ts";
import {
  bucketsToEmpty,
  deletionSummary,
  isDataRetained,
  retainedBootstrap,
  retainedResources,
} from "../../deployment/retained-resources.ts";
import { describeStack, listResources, type StackFacts, type StackResource } from "../../deployment/stack.ts";
import type { Caller } from "../../deployment/target.ts";
import { doesExist } from "../../deployment/unfinished-stack.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { createTerminal } from "../display/terminal.ts";
import { findingLine } from "../doctor/finding-line.ts";
import { type DeploymentOptions, readDeploymentOptions } from "./deployment-options.ts";
import { type Cdk, type CdkRun, errorsIn, projectCdk, requireCdk, runCdk } from "./project-cdk.ts";
import { unfinishedLines } from "./unfinished.ts";

const DECLINED = 1;

export const createDestroy =
  (cdk: Cdk): Command =>
  async (given, shell) => {
    requireCdk(cdk, "destroy");
    const options = readDeploymentOptions(given, shell, cdk.root);
    const { stackName } = options.config;
    const found = await findCaller(options.target);
    for (const finding of callerFindings(found)) shell.say(findingLine(finding, shell.launcher));
    const caller = requireValue(found);
    const stack = requireValue(await describeStack(options.target, stackName));
    if (!stack) {
      shell.say(`There is no stack ${stackName} in ${caller.account}, ${caller.region}: nothing to delete.`);
      return 0;
    }
    const resources = requireValue(await listResources(options.target, stackName));
    await showDeletion(shell, options, { stack, resources });
    if (!(await isConfirmed(shell, options))) {
      shell.say("Nothing was deleted.");
      return DECLINED;
    }
    await emptyBuckets(shell, options, resources);
    const folder = mkdtempSync(join(tmpdir(), "l2mac-destroy-"));
    try {
      await deleteStack({ cdk, shell, options, folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    showRetained(shell, caller, resources);
    return 0;
  };

export const destroy: Command = (given, shell) => createDestroy(projectCdk())(given, shell);

function requireValue<Value>(result: AwsResult<Value>): Value {
  if ("value" in result) return result.value;
  const { reason, remedy } = result.refusal;
  throw new UserError(`The stack could not be read: ${reason}. Nothing was deleted.`, { exitCode: 3, remedy });
}

interface DeployedStack {
  stack: StackFacts;
  resources: readonly StackResource[];
}

async function showDeletion(shell: Shell, options: DeploymentOptions, { stack, resources }: DeployedStack) {
  const { config, target } = options;
  for (const line of await unfinishedLines(options, shell, stack)) shell.say(line);
  const bucket = stack.outputs.Bucket;
  const counted = bucket === undefined ? undefined : await countRuns(target, bucket);
  const runs = counted && "value" in counted ? counted.value : undefined;
  shell.say(`\n${config.stackName} (${stack.status}):`);
  const there = resources.filter(doesExist);
  for (const line of deletionSummary({ keepsData: isDataRetained(resources), runs, resources: there }))
    shell.say(`  ${line}`);
}

/** Asks for the stack's name: one key could be pressed by accident. */
async function isConfirmed(shell: Shell, { config, yes }: DeploymentOptions): Promise<boolean> {
  if (yes) return true;
  const terminal = createTerminal({ input: process.stdin, output: shell.progress });
  if (!terminal.isThere) {
    throw new UserError("The deletion must be confirmed, and there is no terminal to ask on. Nothing was deleted.", {
      exitCode: 3,
      remedy: "Run it on a terminal, or with --yes.",
    });
  }
  shell.say("");
  return (await terminal.line(`Type ${config.stackName} to delete it:`)).trim() === config.stackName;
}

async function emptyBuckets(shell: Shell, { target }: DeploymentOptions, resources: readonly StackResource[]) {
  for (const bucket of bucketsToEmpty(resources)) {
    const emptied = await emptyBucket(target, bucket);
    if ("value" in emptied) shell.say(`✔ emptied    ${bucket} (${emptied.value} objects and versions)`);
    else shell.say(`~ emptied    ${bucket} could not be emptied: ${emptied.refusal.reason}`);
  }
}

async function deleteStack(run: CdkRun): Promise<void> {
  const { options, shell } = run;
  const { stackName } = options.config;
  const { code, lines, interrupted } = await runCdk(run, ["destroy", "--force"]);
  if (interrupted) {
    throw new UserError("Interrupted. CloudFormation continues to delete what it has started with.", {
      exitCode: exitCodeOfSignal(shell.signals.received() ?? "SIGINT"),
      remedy: { command: "destroy", args: [], note: "waits for it, and shows what is kept" },
    });
  }
  if (code !== 0) {
    throw new UserError(`${stackName} was not deleted completely; the errors are above. What is kept is untouched.`, {
      exitCode: 3,
      remedy: { command: "destroy", args: [], note: remedyFor(errorsIn(lines)) ?? "continues where it stopped" },
    });
  }
  shell.say(`✔ deleted    ${stackName}`);
}

function showRetained(shell: Shell, caller: Caller, resources: readonly StackResource[]): void {
  shell.say("\nWhat is kept, and how to remove it for good:");
  for (const { what, commands } of [...retainedResources(resources), retainedBootstrap(caller)]) {
    shell.say(`  ${what}`);
    for (const command of commands) shell.say(`    ${command}`);
  }
}
