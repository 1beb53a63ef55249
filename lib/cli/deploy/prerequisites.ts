/** What a deployment needs, looked at before anything is changed: account, bootstrap, stack, image, network and key. */
import { configWarnings } from "../../cloud/configuration/warnings.ts";
import { UserError } from "../../core/errors.ts";
import { findCaller } from "../../deployment/account.ts";
import type { DockerFacts } from "../../deployment/docker.ts";
import { type Finding, isReady } from "../../deployment/finding.ts";
import { bootstrapFinding, callerFindings, imageFindings } from "../../deployment/preflight-findings.ts";
import { bootstrapVersion } from "../../deployment/stack.ts";
import { bedrockModelIn } from "../../model/default-model.ts";
import { isKnownModel } from "../../model/known-models.ts";
import type { Shell } from "../display/shell.ts";
import { findingLine } from "../doctor/finding-line.ts";
import type { DeploymentOptions } from "./deployment-options.ts";
import { networkFindings } from "./network.ts";
import { unfinishedFinding } from "./unfinished.ts";

/** `docker`: absent, where an image is configured. */
export async function checkPrerequisites(
  options: DeploymentOptions,
  shell: Pick<Shell, "say" | "launcher">,
  docker: DockerFacts | undefined,
): Promise<void> {
  const { config, target } = options;
  const found = await findCaller(target);
  const caller = "value" in found ? found.value : undefined;
  const warnings = configWarnings(config, {
    region: target.region,
    isKnown: isKnownModel,
    ownModel: bedrockModelIn(target.region),
  });
  const findings: Finding[] = [
    ...callerFindings(found),
    ...(caller ? [bootstrapFinding(await bootstrapVersion(target), caller)] : []),
    ...(caller ? await unfinishedFinding(options, shell) : []),
    ...imageFindings({ evaluator: config.evaluator, docker, caller }),
    ...(caller ? await networkFindings(options, caller) : []),
    ...(config.kmsKeyArn === undefined ? [] : [keyNote(config.kmsKeyArn)]),
    ...warnings.map((says): Finding => ({ what: "config", state: "note", says })),
  ];
  for (const finding of findings) shell.say(findingLine(finding, shell.launcher));
  if (isReady(findings)) return;
  const missing = findings.filter(({ state }) => state === "missing").map(({ what }) => what);
  throw new UserError(`It cannot be deployed yet: ${missing.join(", ")}. Nothing was changed, nothing is charged.`, {
    exitCode: 3,
    remedy: "Follow the advice beside each ✘ above, then run the same command again.",
  });
}

/** The key's policy is not read, since that would need another permission on it. */
const keyNote = (arn: string): Finding => ({
  what: "kms",
  state: "note",
  says: `the policy of ${arn} must have the statements of docs/deploy.md#a-key-of-your-own`,
});
