/** Synthesises the stack and deploys it; where that fails, says why, what is left, and what to do. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../core/errors.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { type Assembly, readAssembly } from "../../deployment/assembly.ts";
import { errorIn } from "../../deployment/cdk-lines.ts";
import { remediesFor } from "../../deployment/remedies.ts";
import { runCdk } from "../../deployment/run-cdk.ts";
import { describeStack, listResources } from "../../deployment/stack.ts";
import { stayingOf } from "../../deployment/staying.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { createCdkProgress } from "./cdk-progress.ts";
import type { Deploying } from "./deploy.ts";
import { cdkPlace } from "./deployment-asked.ts";

export async function synthesise({ cdk, config, env, folder, shell }: Deploying): Promise<Assembly> {
  const context = `l2mac=${JSON.stringify(config)}`;
  const args = ["synth", config.stackName, "--quiet", "--no-notices", "--output", folder, "-c", context];
  const { code, lines } = await runCdk(cdk, { args, env });
  if (code === 0) return readAssembly(folder, config.stackName);
  for (const line of errorIn(lines)) shell.say(`  ${sanitizeLine(line)}`);
  throw new UserError("The stack could not be described; above is what cdk said. Nothing was changed.", {
    exitCode: 3,
    remedy: remediesFor(lines.join("\n"))[0]?.says ?? "npm ci, then the same command again.",
  });
}

const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

export async function deployStack(deploying: Deploying): Promise<Record<string, string>> {
  const { cdk, config, env, folder, shell } = deploying;
  const outputsFile = join(folder, "outputs.json");
  const progress = createCdkProgress(shell);
  const stopped = new AbortController();
  shell.signals.onStop(() => stopped.abort());
  const args = ["deploy", config.stackName, "--app", folder, "--outputs-file", outputsFile];
  const { code, lines } = await runCdk(cdk, {
    // Whoever runs this has seen the changes and said yes.
    args: [...args, "--require-approval", "never", "--progress", "events", "--no-notices", ...cdkPlace(deploying)],
    env,
    onLine: progress.line,
    signal: stopped.signal,
  });
  progress.over();
  if (stopped.signal.aborted) throw interrupted(shell.signals.received());
  if (code !== 0) throw await failure(deploying, lines);
  shell.say(`✔ deployed   ${config.stackName}`);
  const outputs = Outputs.parse(JSON.parse(readFileSync(outputsFile, "utf8")))[config.stackName] ?? {};
  if (outputs.ApiUrl) return outputs;
  throw new UserError(`${config.stackName} is deployed, but does not say where its API is.`, {
    exitCode: 3,
    remedy: { command: "doctor", args: ["--remote"] },
  });
}

const interrupted = (signal: ReturnType<Deploying["shell"]["signals"]["received"]>): UserError =>
  new UserError("Interrupted. What CloudFormation has begun, it goes on with.", {
    exitCode: exitCodeOfSignal(signal ?? "SIGINT"),
    remedy: { command: "deploy", args: [], note: "waits for it and goes on; destroy removes it" },
  });

async function failure({ config, place, shell }: Deploying, lines: string[]): Promise<UserError> {
  const errors = errorIn(lines);
  shell.say("");
  for (const line of errors) shell.say(`  ${sanitizeLine(line)}`);
  const remedies = remediesFor(errors.join("\n")).map(({ says }) => says);
  for (const line of await leftBehind(config.stackName, place)) shell.say(line);
  return new UserError(`${config.stackName} was not deployed; above is what went wrong.`, {
    exitCode: 3,
    remedy: {
      command: "deploy",
      args: [],
      note:
        remedies.length > 0
          ? `after this: ${remedies.join(" ")}`
          : "if it is about a resource, docs/deploy.md says which switch leaves it out",
    },
  });
}

/** A first deployment that fails leaves what is to outlive the stack: empty, but there. */
async function leftBehind(name: string, place: Deploying["place"]): Promise<string[]> {
  const found = await describeStack(place, name);
  if (!("told" in found)) return [];
  const status = found.told?.status ?? "DELETE_COMPLETE";
  if (!/^(ROLLBACK|DELETE)_COMPLETE$|^REVIEW_IN_PROGRESS$/.test(status)) {
    const before = /^UPDATE_ROLLBACK/.test(status)
      ? "CloudFormation puts it back as it was before"
      : "it stays as it is";
    return [`The stack is ${status}: ${before}, and costs what it did. Runs and files are untouched.`];
  }
  if (!found.told) return ["Nothing of the stack was made, and nothing is charged for it."];
  const resources = await listResources(place, name);
  const skipped = "told" in resources ? resources.told.filter((each) => each.status === "DELETE_SKIPPED") : [];
  const left = stayingOf(skipped.map((each) => ({ ...each, kept: true })));
  if (left.length === 0) return ["CloudFormation has removed again what it made; nothing is charged for it."];
  return [
    "CloudFormation has removed again what it made, but for what was to be kept. It is empty and costs nothing:",
    ...left.flatMap(({ what, commands }) => [`  ${what}`, ...commands.map((command) => `    ${command}`)]),
  ];
}
