/** Whether there are AWS credentials to be found, without asking for them: by environment variables and profiles. */
import { homedir } from "node:os";
import { join } from "node:path";
import { readRegularSync } from "./regular-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = [
  ...["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"],
  ...["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"],
];

/** The variable or file that shows it; undefined: none does. */
export function credentialsShownBy(env: Environment): string | undefined {
  const variable = VARIABLES.find((name) => env[name]?.trim());
  if (variable !== undefined) return variable;
  const folder = join(env.HOME || homedir(), ".aws");
  const credentials = env.AWS_SHARED_CREDENTIALS_FILE || join(folder, "credentials");
  const config = env.AWS_CONFIG_FILE || join(folder, "config");
  return [credentials, config].find((path) => hasDefaultProfile(path));
}

/** Other profiles hold only where AWS_PROFILE names them. */
function hasDefaultProfile(path: string): boolean {
  let isDefault = false;
  for (const line of linesOf(path)) {
    const text = line.trim();
    if (text.startsWith("[")) isDefault = text === "[default]" || text === "[profile default]";
    else if (isDefault && SETTINGS.some((name) => text.startsWith(name))) return true;
  }
  return false;
}

const SETTINGS = [
  ...["aws_access_key_id", "sso_session", "sso_start_url", "role_arn", "credential_process", "login_session"],
];

function linesOf(path: string): string[] {
  try {
    return readRegularSync(path).toString("utf8").split("\n");
  } catch {
    return [];
  }
}
