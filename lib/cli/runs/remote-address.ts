/** Whether a command is about a deployed stack, and where that is: as said, as configured, or as CloudFormation knows. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { projectFile } from "../../files/project-files.ts";
import type { Shell } from "../display/shell.ts";
import { REMOTE } from "../settings/flags.ts";
import { readSettings, refuseUntrusted } from "../settings/settings.ts";

export interface RemoteAddress {
  url: string;
  /** With which the next command finds it again. */
  remoteFlag: string[];
  /** What named it, where no flag of the command did. */
  from?: string;
}

/** Undefined: the command is about this computer. */
export async function remoteAddress(
  flags: ReadonlyMap<string, string>,
  shell: Shell,
): Promise<RemoteAddress | undefined> {
  const said = saidAddress(flags, shell);
  if (said) return said;
  if (!flags.has(REMOTE.name)) return undefined;
  refuseUntrusted({ ...shell, flags }, ["apiUrl"]);
  return { url: readSettings({ ...shell, flags }).apiUrl ?? (await deployedAddress(shell)), remoteFlag: [REMOTE.name] };
}

/** As the command or the environment says. */
export function saidAddress(
  flags: ReadonlyMap<string, string>,
  { env }: Pick<Shell, "env">,
): RemoteAddress | undefined {
  const said = flags.get(REMOTE.name);
  if (said) return { url: said, remoteFlag: [REMOTE.name, said] };
  const { L2MAC_API_URL: set } = env;
  return set ? { url: set, remoteFlag: [], from: "L2MAC_API_URL" } : undefined;
}

async function deployedAddress({ cwd, env }: Shell): Promise<string> {
  const { readDeploymentOptions, CONFIG_FILE } = await import("../deploy/deployment-options.ts");
  const { describeStack } = await import("../../deployment/stack.ts");
  const folders = [cwd, projectFile(".")];
  const folder = folders.find((each) => existsSync(join(each, CONFIG_FILE))) ?? cwd;
  const { config, target } = readDeploymentOptions({ words: [], flags: new Map() }, { cwd, env }, folder);
  const stack = await describeStack(target, config.stackName);
  if ("refusal" in stack) throw unknown(stack.refusal.reason, stack.refusal.remedy);
  if (!stack.value) throw unknown(`there is no stack ${config.stackName} in this account and region`);
  const { ApiUrl: url } = stack.value.outputs;
  if (url) return url;
  throw unknown(`the stack ${config.stackName} has no output ApiUrl (it is ${stack.value.status})`);
}

const unknown = (why: string, remedy = "Deploy the stack."): UserError =>
  new UserError(`It is not known where the API is: ${why}.`, {
    exitCode: 3,
    remedy: `${remedy} Or say where it is: --remote https://…, L2MAC_API_URL, or apiUrl in l2mac.config.json`,
  });
