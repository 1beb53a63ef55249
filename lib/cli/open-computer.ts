/** Opens what computes runs: this computer, or a deployed stack, where one is named. */
import type { Arguments } from "./parse.ts";
import { remoteAddress } from "./remote-address.ts";
import type { Computer } from "./runs.ts";
import type { Settings } from "./settings.ts";
import type { Shell } from "./shell.ts";

export async function openComputer({ flags }: Arguments, shell: Shell, settings: Settings): Promise<Computer> {
  const address = await remoteAddress(flags, shell);
  if (address) return (await import("./remote-computer.ts")).openRemoteComputer(address, shell, { settings, flags });
  return (await (await import("./local-computer.ts")).openLocalComputer(shell, settings, flags)).computer;
}
