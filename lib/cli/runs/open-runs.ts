/** Opens the runs that a command is about: of this computer, or of a stack, where one is named. */

import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { remoteAddress } from "./remote-address.ts";
import type { Runs } from "./runs.ts";

/** Only what is needed is loaded. */
export async function openRuns({ flags }: Arguments, shell: Shell): Promise<Runs> {
  const address = await remoteAddress(flags, shell);
  if (address) return (await import("./remote-runs.ts")).openRemoteRuns(address, shell);
  return (await import("./local-runs.ts")).openLocalRuns(shell);
}
