/** Opens what computes runs: this computer, or a deployed stack, where one is named. */

import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Settings } from "../settings/settings.ts";
import { remoteAddress } from "./remote-address.ts";
import type { Computer } from "./runs.ts";

export async function openComputer({ flags }: Arguments, shell: Shell, settings: Settings): Promise<Computer> {
  const address = await remoteAddress(flags, shell);
  if (address) return (await import("./remote-computer.ts")).openRemoteComputer(address, shell, { settings, flags });
  return (await (await import("./local-computer.ts")).openLocalComputer(shell, settings, flags)).computer;
}
