/** The options of the commands about a deployment: configuration, target, and whether to ask. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CloudConfig, readCloudConfig } from "../../cloud/config.ts";
import type { Target } from "../../deployment/target.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { checkAwsProfile } from "./check-aws-profile.ts";

export interface DeploymentOptions {
  config: CloudConfig;
  target: Target;
  /** Whether to proceed without asking. */
  yes: boolean;
  /** For child processes: this process's, with the target's region and profile. */
  env: Record<string, string | undefined>;
}

export const CONFIG_FILE = "l2mac.cloud.json";

/** `folder`: where the configuration file is. */
export function readDeploymentOptions(
  { flags }: Arguments,
  shell: Pick<Shell, "env" | "cwd">,
  folder: string,
): DeploymentOptions {
  const region = flags.get("--region") ?? (shell.env.AWS_REGION || shell.env.AWS_DEFAULT_REGION || undefined);
  const profile = flags.get("--profile");
  const env = {
    ...shell.env,
    ...(region === undefined ? {} : { AWS_REGION: region, AWS_DEFAULT_REGION: region }),
    ...(profile === undefined ? {} : { AWS_PROFILE: profile }),
  };
  const config = readConfig(join(folder, CONFIG_FILE), flags.get("--evaluator-image"), region);
  checkAwsProfile("https:", env);
  return { config, target: { region, profile }, yes: flags.has("--yes"), env };
}

function readConfig(path: string, image: string | undefined, region: string | undefined): CloudConfig {
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const sources = [...(text === undefined ? [] : [path]), ...(image === undefined ? [] : ["--evaluator-image"])];
  const where = sources.join(" and ") || "no file";
  return readCloudConfig([text, image === undefined ? undefined : { evaluator: { image } }], { where, region });
}
