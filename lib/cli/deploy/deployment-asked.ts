/** What a command about a deployment was asked: the configuration, where, and whether anybody confirms. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CloudConfig, readCloudConfig } from "../../cloud/config.ts";
import { UserError } from "../../core/errors.ts";
import type { Place } from "../../deployment/chosen.ts";
import type { Cdk } from "../../deployment/run-cdk.ts";
import { projectFile } from "../../files/project-files.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { refuseUnknownProfile } from "./known-profile.ts";

export interface Asked {
  config: CloudConfig;
  place: Place;
  /** Does what it would ask about. */
  yes: boolean;
  /** Of the children: as this one's, and the place that was said. */
  env: Record<string, string | undefined>;
}

export const CONFIG_FILE = "l2mac.cloud.json";

/** `folder`: where the configuration lies. */
export function readAsked({ flags }: Arguments, shell: Pick<Shell, "env">, folder: string): Asked {
  const config = readConfig(join(folder, CONFIG_FILE), flags.get("--evaluator-image"));
  const region = flags.get("--region") ?? (shell.env.AWS_REGION || shell.env.AWS_DEFAULT_REGION || undefined);
  const profile = flags.get("--profile");
  const env = {
    ...shell.env,
    ...(region === undefined ? {} : { AWS_REGION: region, AWS_DEFAULT_REGION: region }),
    ...(profile === undefined ? {} : { AWS_PROFILE: profile }),
  };
  refuseUnknownProfile("https:", env);
  return { config, place: { region, profile }, yes: flags.has("--yes"), env };
}

function readConfig(path: string, image: string | undefined): CloudConfig {
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const said = image === undefined ? [] : [{ evaluator: { image } }];
  const where = [...(text === undefined ? [] : [path]), ...(image === undefined ? [] : ["--evaluator-image"])];
  return readCloudConfig([text, ...said], where.join(" and "));
}

/** The project's own cdk and Node. What is installed as a package has no stack to deploy. */
export function projectCdk(): Cdk {
  const windows = process.platform === "win32";
  return {
    root: projectFile("."),
    node: projectFile(windows ? "node_modules/node/bin/node.exe" : "node_modules/node/bin/node"),
    program: projectFile("node_modules/aws-cdk/bin/cdk"),
  };
}

export function needCdk({ root, node, program }: Cdk, command: string): void {
  if (!existsSync(join(root, "cdk.json"))) {
    throw new UserError(`l2mac ${command} needs a clone of the project: the package has no stack in it.`, {
      exitCode: 3,
      remedy: `Clone the repository that this package was made from, then in it: npm ci && npx l2mac ${command}`,
    });
  }
  if (existsSync(node) && existsSync(program)) return;
  throw new UserError("The project's cdk and Node are not installed.", {
    exitCode: 3,
    remedy: `In ${root}: npm ci --ignore-scripts=false, then the same command again.`,
  });
}

/** What every call of cdk is told. */
export const cdkPlace = ({ place }: Pick<Asked, "place">): string[] => [
  ...(place.profile === undefined ? [] : ["--profile", place.profile]),
  ...(place.region === undefined ? [] : ["--region", place.region]),
];
