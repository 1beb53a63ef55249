/** Whether a command is about a deployed stack, and where that is: as said, as configured, or as CloudFormation knows. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { REMOTE } from "./flags.ts";
import { readSettings } from "./settings.ts";
import type { Shell } from "./shell.ts";
import { quoted } from "./words.ts";

export interface RemoteAddress {
  url: string;
  /** With which the next command finds it again. */
  flag: string;
}

/** Undefined: the command is about this computer. */
export async function remoteAddress(
  flags: ReadonlyMap<string, string>,
  shell: Shell,
): Promise<RemoteAddress | undefined> {
  const said = flags.get(REMOTE.name);
  if (said) return { url: said, flag: ` --remote ${quoted(said)}` };
  const { L2MAC_API_URL: set } = shell.env;
  if (set) return { url: set, flag: "" };
  if (said === undefined) return undefined;
  return { url: readSettings({ ...shell, flags }).apiUrl ?? (await deployedAddress(shell)), flag: ` ${REMOTE.name}` };
}

async function deployedAddress({ cwd }: Shell): Promise<string> {
  const name = stackName(cwd);
  const { findStackOutputs } = await import("../aws/stack-outputs.ts");
  const found = await findStackOutputs(name);
  if ("outputs" in found && found.outputs.ApiUrl) return found.outputs.ApiUrl;
  const why = "problem" in found ? found.problem : `the stack ${name} has no output ApiUrl`;
  throw new UserError(`It is not known where the API is: ${why}.`, { exitCode: 3, remedy: HOW });
}

const HOW =
  "Give --remote https://… or set L2MAC_API_URL to the stack's output ApiUrl; apiUrl in l2mac.config.json does too.";

const DEFAULT_STACK = "L2mac";

/** As it is deployed from here. */
function stackName(cwd: string): string {
  const path = join(cwd, "l2mac.cloud.json");
  if (!existsSync(path)) return DEFAULT_STACK;
  try {
    const { stackName = DEFAULT_STACK } = JSON.parse(readFileSync(path, "utf8")) as { stackName?: unknown };
    return String(stackName);
  } catch {
    throw new UserError(`${path} is not JSON.`, { exitCode: 3, remedy: HOW });
  }
}

/** For commands that only this computer can do. */
export function refuseElsewhere(shell: Pick<Shell, "env">, why: string): void {
  if (!shell.env.L2MAC_API_URL) return;
  throw new UserError(`L2MAC_API_URL is set: ${why}`, {
    exitCode: 2,
    remedy: "Unset L2MAC_API_URL to do it on this computer: env -u L2MAC_API_URL l2mac …",
  });
}
