/** `l2mac fork RUN --at STEP[.TURN]`: a new run that inherits what another one computed up to a point, at no cost. */
import { resolve } from "node:path";
import { programData } from "../../core/program/program-text.ts";
import { ForkAt } from "../../core/run/forks/fork-point.ts";
import { toBody } from "../../core/run/option-forms.ts";
import { readProgram } from "../../files/program-file.ts";
import { loadPack } from "../../files/prompt-folder.ts";
import type { Command } from "../command.ts";
import { FORK_AT } from "../settings/command-flags.ts";
import { usage } from "../settings/parse.ts";
import { foldersOf, namesElsewhere } from "../settings/program-folders.ts";
import { settingsInFlags } from "../settings/settings.ts";
import { beginFromRun } from "./begin-from-run.ts";

/** The commits of what is inherited are made again, on the branch of the new run. */
const FROM_THE_START = 1;

export const fork: Command = async (given, shell) => {
  const { flags } = given;
  const at = readAt(flags.get(FORK_AT.name));
  const file = flags.get("--program");
  const linking = { follows: true, namesElsewhere: namesElsewhere(flags, shell) };
  const program = file === undefined ? undefined : readProgram(resolve(shell.cwd, file), foldersOf(shell), linking);
  // Only what is said for this command: the rest is as the other run has it.
  const said = settingsInFlags({ flags, cwd: shell.cwd });
  const changes = {
    ...toBody(said),
    ...(program ? { program: programData(program) } : {}),
    ...(said.prompts === undefined ? {} : { prompts: await loadPack(said.prompts) }),
  };
  return beginFromRun({
    given,
    shell,
    to: FROM_THE_START,
    begin: ({ computer, from, name, destination }) => computer.fork(from, { at, name, ...changes }, destination),
  });
};

function readAt(text: string | undefined): string {
  if (text === undefined) throw usage({ name: "fork" }, "fork needs --at STEP[.TURN]: after which the new run begins.");
  if (ForkAt.safeParse(text).success) return text;
  const accepted = "an instruction, such as 3, or a turn of one, such as 3.2; both are counted from 1";
  throw usage({ name: "fork" }, `--at takes ${accepted}. "${text}" is neither.`);
}
