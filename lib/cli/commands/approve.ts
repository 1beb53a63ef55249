/** `l2mac approve`: has a program executed that waits for it, or another one in its place. */
import { resolve } from "node:path";
import { readProgram } from "../../files/program-file.ts";
import type { Command } from "../command.ts";
import { continueRun } from "../runs/continue-run.ts";
import { WAITING } from "../runs/pick-run.ts";
import { foldersOf, namesElsewhere } from "../settings/program-folders.ts";

export const approve: Command = async (given, shell) => {
  const file = given.flags.get("--program");
  const linking = { namesElsewhere: namesElsewhere(given.flags, shell) };
  const program = file === undefined ? undefined : readProgram(resolve(shell.cwd, file), foldersOf(shell), linking);
  return continueRun({
    given,
    shell,
    choice: { name: "approve", ...WAITING },
    begin: (computer, run) => computer.approve(run, program),
  });
};
