/** Refuses a profile that is not there: the credential provider says only that it found no credentials anywhere. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Shell } from "../display/shell.ts";

/** `url`: what is asked; a server of this computer asks nobody who he is. */
export function refuseUnknownProfile(url: string, env: Shell["env"]): void {
  const profile = env.AWS_PROFILE;
  if (!profile || profile === "default" || url.startsWith("http:")) return;
  const files = profileFiles(env);
  if (files.some((file) => mayHold(file, profile))) return;
  throw new UserError(`There is no AWS profile ${profile}: neither in ${files.join(" nor in ")}.`, {
    exitCode: 3,
    remedy: "aws configure list-profiles shows those that there are; choose one with AWS_PROFILE, or unset it.",
  });
}

/** Where the AWS tools look. */
function profileFiles(env: Shell["env"]): [config: string, credentials: string] {
  const folder = join(env.HOME || homedir(), ".aws");
  return [
    env.AWS_CONFIG_FILE || join(folder, "config"),
    env.AWS_SHARED_CREDENTIALS_FILE || join(folder, "credentials"),
  ];
}

/** A file that is there and cannot be read may hold anything; the provider will tell. */
function mayHold(file: string, profile: string): boolean {
  try {
    return readFileSync(file, "utf8")
      .split(/\r?\n/)
      .some((line) => headingIn(line) === profile);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

/** `[name]`, `[profile name]` or `[profile "na me"]`. */
const headingIn = (line: string): string | undefined => /^\s*\[\s*(?:profile\s+)?(["']?)(.+?)\1\s*\]/.exec(line)?.[2];
