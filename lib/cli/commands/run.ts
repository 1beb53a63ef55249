/** `l2mac run`: submits a task and computes it to the end. */
import type { Command } from "../command.ts";
import { announced } from "../runs/announced.ts";
import { computeInForeground } from "../runs/compute.ts";
import { openComputer } from "../runs/connection.ts";
import { submitTask } from "../runs/submit-task.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { settingsOfNewRun } from "../settings/settings.ts";

export const run: Command = async (given, shell) => {
  const settings = settingsOfNewRun({ ...shell, flags: given.flags });
  const computer = await openComputer(given, shell, settings);
  const { run, folder } = await submitTask(computer, { given, shell, settings });
  shell.say(announced(computer, run, settings));
  return computeInForeground({ shell, computer, run, folder, json: given.flags.has(JSON_OUTPUT.name), after: 0 });
};
