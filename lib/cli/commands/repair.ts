/** `l2mac repair`: makes a damaged registry again, and says which runs came back. */
import { hasRegistry, runFolders } from "../../host/home.ts";
import type { Repair, RepairedState } from "../../local/repair.ts";
import type { Command } from "../command.ts";
import { ownHome } from "../settings/own-home.ts";

const INCOMPLETE = 6;

export const repair: Command = async (_given, shell) => {
  const home = ownHome(shell);
  if (runFolders(home).length === 0 && !hasRegistry(home)) {
    shell.say(`There are no runs in ${home}.`);
    return 0;
  }
  const { repairHome } = await import("../../local/repair.ts");
  const { aside, runs } = await repairHome(home, Date.now());
  if (aside === undefined) {
    shell.say(`Nothing in ${home} needs a repair.`);
    return 0;
  }
  shell.say(`The registry of ${home} was made again. What was there is in ${aside}.`);
  for (const { id, state } of runs) shell.out(`${id}  ${WORDS[state]}\n`);
  shell.say(`Next: ${shell.command("list")}`);
  return runs.some(isIncomplete) ? INCOMPLETE : 0;
};

const isIncomplete = ({ state }: Repair["runs"][number]): boolean => state === "torn" || state === "gone";

const WORDS: Record<RepairedState, string> = {
  whole: "came back",
  earlier: "came back as its last computation began; resume takes the answers that it was given since",
  torn: "came back in part: records are missing, and it has no copy of them; get fetches its files",
  gone: "did not come back: nothing tells what it was; its folder in runs/ has its files and packs",
};
