/** `l2mac run`: submits a task and computes it to the end. */
import type { Command } from "./commands.ts";
import { computeInFront } from "./compute.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { openComputer } from "./open-computer.ts";
import { readSettings } from "./settings.ts";

export const run: Command = async (given, shell) => {
  const settings = readSettings({ ...shell, flags: given.flags });
  const computer = await openComputer(given, shell, settings);
  const { run, folder } = await computer.submit(given);
  shell.say(computer.announcement(run));
  return computeInFront({ shell, computer, run, folder, json: given.flags.has(JSON_OUTPUT.name), after: 0 });
};
