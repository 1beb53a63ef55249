/** Refuses an AWS profile that does not exist: the credential provider's own error does not name the profile. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Shell } from "../display/shell.ts";

/** `url`: the API; a local server needs no credentials. */
export function checkAwsProfile(url: string, env: Shell["env"]): void {
  const profile = env.AWS_PROFILE;
  if (!profile || profile === "default" || url.startsWith("http:")) return;
  const folder = join(env.HOME || homedir(), ".aws");
  const files = [
    env.AWS_CONFIG_FILE || join(folder, "config"),
    env.AWS_SHARED_CREDENTIALS_FILE || join(folder, "credentials"),
  ];
  if (files.some((file) => mayDefine(file, profile))) return;
  throw new UserError(`There is no AWS profile ${profile}: neither in ${files.join(" nor in ")}.`, {
    exitCode: 3,
    remedy: "aws configure list-profiles lists the profiles; choose one with AWS_PROFILE, or unset it.",
  });
}

/** An unreadable file may define any profile; the credential provider will report it. */
function mayDefine(file: string, profile: string): boolean {
  try {
    return readFileSync(file, "utf8")
      .split(/\r?\n/)
      .some((line) => HEADING.exec(line)?.[2] === profile);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

/** `[name]`, `[profile name]` or `[profile "na me"]`. */
const HEADING = /^\s*\[\s*(?:profile\s+)?(["']?)([^\s\]][^\]]{0,500}?)\1\s*\]/;
