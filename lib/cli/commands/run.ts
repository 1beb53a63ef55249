/** `l2mac run`: loads what submits and computes once there is a task. */
import type { Command } from "../command.ts";
import { refuseEmptyTask } from "../runs/task-text.ts";

export const run: Command = async (given, shell) => {
  refuseEmptyTask(given);
  return (await import("../runs/begin-run.ts")).beginRun(given, shell);
};
