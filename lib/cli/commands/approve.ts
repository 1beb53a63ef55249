/** `l2mac approve`: has a program executed that waits for it, or another one in its place. */
import { resolve } from "node:path";
import { readProgram } from "../../files/program-file.ts";
import type { Command } from "../command.ts";
import { goOn } from "../runs/go-on.ts";
import { WAITING } from "../runs/only-run.ts";

export const approve: Command = async (given, shell) => {
  const file = given.flags.get("--program");
  const program = file === undefined ? undefined : readProgram(resolve(shell.cwd, file));
  return goOn({
    given,
    shell,
    only: { name: "approve", ...WAITING },
    begin: (computer, run) => computer.approve(run, program),
  });
};
