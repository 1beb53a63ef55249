/** Sees that the account is prepared for CDK in this region, and prepares it where that is wanted. */

import { UserError } from "../../core/errors.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { errorIn } from "../../deployment/cdk-lines.ts";
import { bootstrapCommand, bootstrapFinding } from "../../deployment/preflight-findings.ts";
import { runCdk } from "../../deployment/run-cdk.ts";
import { bootstrapVersion } from "../../deployment/stack.ts";
import { findingLine } from "../doctor/findings.ts";
import { createCdkProgress } from "./cdk-progress.ts";
import type { Deploying } from "./deploy.ts";
import { confirmed } from "./deploy-changes.ts";
import { cdkPlace } from "./deployment-asked.ts";

export async function prepareAccount(deploying: Deploying, needed: number): Promise<void> {
  const { shell, caller, place } = deploying;
  const version = await bootstrapVersion(place);
  const finding = bootstrapFinding({ version, needed, caller });
  shell.say(findingLine(finding, shell.launcher));
  if (finding.state !== "missing") return;
  if ("refusal" in version) throw notPrepared("it is not known whether the account is prepared", "See above.");
  shell.say(
    "             It makes a bucket, an image repository and five roles that CDK apps of this account share; idle, cents.",
  );
  const nobody = !deploying.yes && !deploying.terminal.isThere;
  if (nobody || !(await confirmed(deploying, "Prepare the account now?"))) {
    throw notPrepared("the account is not prepared for CDK", `${bootstrapCommand(caller)}   (or deploy with --yes)`);
  }
  await bootstrap(deploying);
}

async function bootstrap(deploying: Deploying): Promise<void> {
  const { cdk, shell, caller, env, folder } = deploying;
  const progress = createCdkProgress(shell);
  const account = `aws://${caller.account}/${caller.region}`;
  // What is synthesised already need not be again.
  const args = ["bootstrap", account, "--app", folder, "--no-notices", ...cdkPlace(deploying)];
  const { code, lines } = await runCdk(cdk, { args, env, onLine: progress.line });
  progress.over();
  if (code === 0) return shell.say("✔ bootstrap  the account is prepared");
  for (const line of errorIn(lines)) shell.say(`  ${sanitizeLine(line)}`);
  throw notPrepared("the account could not be prepared (above is what cdk said)", bootstrapCommand(caller));
}

const notPrepared = (why: string, remedy: string): UserError =>
  new UserError(`It cannot be deployed yet: ${why}. Of the stack nothing was made.`, { exitCode: 3, remedy });
