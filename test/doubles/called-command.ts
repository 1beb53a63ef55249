/** A command called in this process, which is faster than a process for each: its exit code, and what it says. */
import { commandNamed, withAllFlags } from "../../lib/cli/commands.ts";
import type { Shell } from "../../lib/cli/display/shell.ts";
import { parseArguments } from "../../lib/cli/settings/parse.ts";
import { UserError } from "../../lib/core/errors.ts";
import { commandLine } from "../../lib/core/text/command-line.ts";
import type { Ended } from "./command.ts";

/** `folder`: where it is called, with the configuration of the user in it. What is no message to the user is thrown. */
export async function callCommand(
  argv: string[],
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<Ended> {
  const said: string[] = [];
  let stdout = "";
  const shell = {
    ...{ cwd: folder, env: { HOME: folder, XDG_CONFIG_HOME: folder, ...env }, launcher: "l2mac" },
    command: (command: string, ...args: string[]) => commandLine({ command, args }, "l2mac"),
    say: (line: string) => void said.push(line),
    out: (text: string) => {
      stdout += text;
    },
    progress: { isTTY: false },
    ...{ resultOnTerminal: false, resultColumns: undefined, readerGone: () => false },
  } as unknown as Shell;
  const [name = "", ...words] = argv;
  const spec = commandNamed(name);
  if (!spec) throw new Error(`There is no command ${name}.`);
  const run = async (): Promise<number> => (await spec.load())(parseArguments(await withAllFlags(spec), words), shell);
  const code = await run().catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    said.push(error.message);
    return error.exitCode;
  });
  return { code, stdout, stderr: said.join("\n") };
}
