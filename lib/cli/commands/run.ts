/** `l2mac run`: submits a task and computes it to the end. */
import type { Command } from "../command.ts";
import { computeInFront } from "../runs/compute.ts";
import { openComputer } from "../runs/open-computer.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";

export const run: Command = async (given, shell) => {
  const settings = readSettings({ ...shell, flags: given.flags });
  const computer = await openComputer(given, shell, settings);
  const { run, folder } = await computer.submit(given);
  shell.say(computer.announcement(run));
  return computeInFront({ shell, computer, run, folder, json: given.flags.has(JSON_OUTPUT.name), after: 0 });
};
