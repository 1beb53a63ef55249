/**
 * The project's own app, but for what the emulator's CloudFormation does not know: a topic stands where the secret is,
 * and logs have no names of their own, as it makes them twice.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [project = ""] = process.argv.slice(2);
const CDK_OUTDIR = resolve(process.env.CDK_OUTDIR ?? "cdk.out");
const env = { ...process.env, CDK_OUTDIR };
const { status } = spawnSync(process.execPath, [join(project, "bin/cdk.ts")], { cwd: project, env, stdio: "inherit" });
const path = join(CDK_OUTDIR, "L2mac.template.json");
const template = JSON.parse(readFileSync(path, "utf8"));
for (const resource of Object.values(template.Resources)) {
  if (resource.Type === "AWS::Logs::LogGroup") delete resource.Properties.LogGroupName;
  if (resource.Type !== "AWS::SecretsManager::Secret") continue;
  resource.Type = "AWS::SNS::Topic";
  delete resource.Properties;
}
writeFileSync(path, JSON.stringify(template));
process.exitCode = status ?? 1;
