/** Submits a task and computes it to the end. */
import type { Command } from "../command.ts";
import { sharedAsJson } from "../display/shared-files.ts";
import { sayWrapped } from "../display/wrap.ts";
import { DRY_RUN, JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { settingsOfNewRun } from "../settings/settings.ts";
import { announced } from "./announced.ts";
import { computeInForeground } from "./compute.ts";
import { openComputer } from "./connection.ts";
import { dryRun } from "./dry-run.ts";
import { submitTask } from "./submit-task.ts";

export const beginRun: Command = async (given, shell) => {
  const settings = settingsOfNewRun({ ...shell, flags: given.flags });
  if (given.flags.has(DRY_RUN.name)) return dryRun({ given, shell, settings });
  const json = given.flags.has(JSON_OUTPUT.name);
  const quiet = given.flags.has(QUIET.name);
  const computer = await openComputer(given, shell, settings);
  const { run, destination, starting } = await submitTask(computer, { given, shell, settings });
  if (!quiet) sayWrapped(shell, await announced(computer, run, { settings, env: shell.env }));
  if (json && starting)
    shell.out(`${JSON.stringify({ type: "starting_files", ...sharedAsJson(starting.from, starting) })}\n`);
  return computeInForeground({ shell, computer, run, ...destination, json, quiet, after: 0 });
};
