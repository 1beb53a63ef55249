/** `l2mac version`: the same as --version. */
import { projectVersion } from "../../files/project-files.ts";
import type { Command } from "../command.ts";

export const version: Command = async (_given, shell) => {
  shell.out(`${projectVersion()}\n`);
  return 0;
};
