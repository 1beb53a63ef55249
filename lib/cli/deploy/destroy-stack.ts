/** Deletes the stack with cdk; where that fails, says why and what to do. */

import { UserError } from "../../core/errors.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { errorIn } from "../../deployment/cdk-lines.ts";
import { deletionRemediesFor } from "../../deployment/remedies.ts";
import { runCdk } from "../../deployment/run-cdk.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { createCdkProgress } from "./cdk-progress.ts";
import { cdkPlace } from "./deployment-asked.ts";
import type { Destroying } from "./destroy.ts";

export async function deleteStack(destroying: Destroying): Promise<void> {
  const { cdk, config, env, folder, shell } = destroying;
  const progress = createCdkProgress(shell);
  const stopped = new AbortController();
  shell.signals.onStop(() => stopped.abort());
  const context = `l2mac=${JSON.stringify(config)}`;
  const args = ["destroy", config.stackName, "--force", "--output", folder, "-c", context, "--no-notices"];
  const { code, lines } = await runCdk(cdk, {
    args: [...args, ...cdkPlace(destroying)],
    env,
    onLine: progress.line,
    signal: stopped.signal,
  });
  progress.over();
  if (stopped.signal.aborted) {
    throw new UserError("Interrupted. What CloudFormation has begun to delete, it goes on deleting.", {
      exitCode: exitCodeOfSignal(shell.signals.received() ?? "SIGINT"),
      remedy: { command: "destroy", args: [], note: "waits for it, and shows what stays" },
    });
  }
  if (code !== 0) throw failure(destroying, lines);
  shell.say(`✔ deleted    ${config.stackName}`);
}

function failure({ config, shell }: Destroying, lines: string[]): UserError {
  const errors = errorIn(lines);
  shell.say("");
  for (const line of errors) shell.say(`  ${sanitizeLine(line)}`);
  const [remedy] = deletionRemediesFor(errors.join("\n"));
  return new UserError(
    `${config.stackName} was not deleted wholly; above is what is in the way. What was to stay, stays.`,
    {
      exitCode: 3,
      remedy: remedy?.says ?? "Run the same command again; CloudFormation goes on where it stopped.",
    },
  );
}
