/** `l2mac destroy`: says what goes and what stays, deletes the stack, and how what stayed is removed for good. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { countRuns, emptyBucket } from "../../deployment/bucket.ts";
import { findCaller } from "../../deployment/caller.ts";
import type { Caller } from "../../deployment/chosen.ts";
import { callerFindings } from "../../deployment/preflight-findings.ts";
import type { Cdk } from "../../deployment/run-cdk.ts";
import { describeStack, listResources, type StackFacts, type StackResource } from "../../deployment/stack.ts";
import { bootstrapStaying, bucketsToEmpty, keepsData, stayingOf, whatGoes } from "../../deployment/staying.ts";
import type { Told } from "../../deployment/told.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { createTerminal, type Terminal } from "../display/terminal.ts";
import { findingLine } from "../doctor/findings.ts";
import { type Asked, needCdk, projectCdk, readAsked } from "./deployment-asked.ts";
import { deleteStack } from "./destroy-stack.ts";

export interface Destroying extends Asked {
  cdk: Cdk;
  shell: Shell;
  folder: string;
}

const DECLINED = 1;

export const createDestroy =
  (cdk: Cdk): Command =>
  async (given, shell) => {
    needCdk(cdk, "destroy");
    const asked = readAsked(given, shell, cdk.root);
    const { config, place } = asked;
    const terminal = createTerminal({ input: process.stdin, output: shell.progress });
    const caller = await whoAsks(asked, shell);
    const stack = known(await describeStack(place, config.stackName));
    if (!stack) {
      shell.say(`There is no stack ${config.stackName} in ${caller.account}, ${caller.region}: nothing to delete.`);
      return 0;
    }
    const resources = known(await listResources(place, config.stackName));
    await announce({ asked, shell, stack, resources });
    if (!(await agreed({ asked, shell, terminal }))) {
      shell.say("Nothing was deleted.");
      return DECLINED;
    }
    await emptyBuckets(asked, shell, resources);
    const folder = mkdtempSync(join(tmpdir(), "l2mac-destroy-"));
    try {
      await deleteStack({ ...asked, cdk, shell, folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    sayWhatStayed(shell, caller, resources);
    return 0;
  };

export const destroy: Command = (given, shell) => createDestroy(projectCdk())(given, shell);

async function whoAsks({ place }: Asked, shell: Shell): Promise<Caller> {
  const asked = await findCaller(place);
  for (const finding of callerFindings(asked)) shell.say(findingLine(finding, shell.launcher));
  return known(asked);
}

function known<Fact>(asked: Told<Fact>): Fact {
  if ("told" in asked) return asked.told;
  const { says, remedy } = asked.refusal;
  throw new UserError(`The stack cannot be looked at: ${says}. Nothing was deleted.`, { exitCode: 3, remedy });
}

interface Found {
  asked: Asked;
  shell: Shell;
  stack: StackFacts;
  resources: readonly StackResource[];
}

async function announce({ asked, shell, stack, resources }: Found): Promise<void> {
  const { config, place } = asked;
  const bucket = stack.outputs.Bucket;
  const counted = bucket === undefined ? undefined : await countRuns(place, bucket);
  const runs = counted && "told" in counted ? counted.told : undefined;
  shell.say(`\n${config.stackName} (${stack.status}):`);
  for (const line of whatGoes({ keptHere: keepsData(resources), runs, resources })) shell.say(`  ${line}`);
}

/** A word that is typed is meant; a key that is pressed need not be. */
async function agreed({ asked, shell, terminal }: Pick<Found, "asked" | "shell"> & { terminal: Terminal }) {
  const { stackName } = asked.config;
  if (asked.yes) return true;
  if (!terminal.isThere) {
    throw new UserError("Deleting has to be confirmed, and there is no terminal to ask on. Nothing was deleted.", {
      exitCode: 3,
      remedy: "Run it on a terminal, or with --yes.",
    });
  }
  shell.say("");
  return (await terminal.line(`Type ${stackName} to delete it:`)).trim() === stackName;
}

async function emptyBuckets({ place }: Asked, shell: Shell, resources: readonly StackResource[]): Promise<void> {
  for (const bucket of bucketsToEmpty(resources)) {
    const emptied = await emptyBucket(place, bucket);
    if ("told" in emptied) shell.say(`✔ emptied    ${bucket} (${emptied.told} objects and versions)`);
    else shell.say(`~ emptied    ${bucket} could not be emptied: ${emptied.refusal.says}`);
  }
}

function sayWhatStayed(shell: Shell, caller: Caller, resources: readonly StackResource[]): void {
  shell.say("\nWhat stays, and how it is removed for good:");
  for (const { what, commands } of [...stayingOf(resources), bootstrapStaying(caller)]) {
    shell.say(`  ${what}`);
    for (const command of commands) shell.say(`    ${command}`);
  }
}
