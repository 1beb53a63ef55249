/** Looks whether a deployment can work before it begins: whose account, where, and how the evaluator's image is had. */
import { UserError } from "../../core/errors.ts";
import { lookAtDocker } from "../../deployment/building.ts";
import { findCaller } from "../../deployment/caller.ts";
import type { Caller } from "../../deployment/chosen.ts";
import type { Finding } from "../../deployment/finding.ts";
import { callerFindings, imageFindings } from "../../deployment/preflight-findings.ts";
import type { Shell } from "../display/shell.ts";
import { findingLine, nothingMissing } from "../doctor/findings.ts";
import type { Asked } from "./deployment-asked.ts";

export async function lookBefore({ config, place, env }: Asked, shell: Shell): Promise<Caller> {
  const findings: Finding[] = [];
  const show = (found: Finding[]): void => {
    for (const finding of found) shell.say(findingLine(finding, shell.launcher));
    findings.push(...found);
  };
  const asked = await findCaller(place);
  show(callerFindings(asked));
  const caller = "told" in asked ? asked.told : undefined;
  const build = config.evaluator.image === undefined ? lookAtDocker(env) : undefined;
  show(imageFindings({ chosen: config.evaluator, build, caller }));
  if (caller && nothingMissing(findings)) return caller;
  const lacking = findings.filter(({ state }) => state === "missing").map(({ what }) => what);
  throw new UserError(`It cannot be deployed yet: ${lacking.join(", ")}. Nothing was changed, nothing is charged.`, {
    exitCode: 3,
    remedy: "Do what stands beside ✘ above, then run the same command again.",
  });
}
