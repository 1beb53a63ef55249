/** `l2mac compile FILE --asl`: the state machine of a program. Nothing is sent or paid. */
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { compileFile } from "../../files/program/compile-file.ts";
import type { Command } from "../command.ts";
import { writeNewFile } from "../display/write-new-file.ts";
import { ASL, MACHINE_OUT } from "../settings/command-flags.ts";
import { usage } from "../settings/parse.ts";
import { foldersOf } from "../settings/program-folders.ts";

export const compileProgram: Command = async ({ flags, words: [file] }, shell) => {
  if (file === undefined) throw usage(COMPILE, "compile needs a program: compile program.md --asl.");
  if (!flags.has(ASL.name)) {
    throw new UserError("compile writes the Amazon States Language, and no other one.", {
      exitCode: 2,
      remedy: { command: "compile", args: [file, ASL.name] },
    });
  }
  const { text, states, notices } = compileFile(resolve(shell.cwd, file), foldersOf(shell));
  for (const notice of notices) shell.say(sanitizeLine(notice));
  const out = flags.get(MACHINE_OUT.name);
  if (out === undefined) shell.out(text);
  else await writeNewFile(shell, out, text);
  shell.say(`${pluralize(states, "state")}, ${Math.ceil(text.length / 1_024)} KiB.`);
  return 0;
};

const COMPILE = { name: "compile" };
