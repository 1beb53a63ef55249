/** `l2mac completion`: the script with which a shell completes commands and flags. */
import type { Command, CommandSpec } from "../command.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { completedCommands } from "../completion/words.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { usage } from "../settings/parse.ts";

interface Table {
  commands: CommandSpec[];
  /** The command with the flags of its options. */
  withAllFlags: (spec: CommandSpec) => Promise<CommandSpec>;
}

const SCRIPTS = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

export const createCompletion =
  ({ commands, withAllFlags }: Table): Command =>
  async ({ words: [name = ""] }, shell) => {
    const script = SCRIPTS.get(name);
    const shells = [...SCRIPTS.keys()].join(", ");
    if (!script) throw usage({ name: "completion" }, `completion takes one of ${shells}${name && `, not ${name}`}.`);
    shell.out(script(completedCommands(await Promise.all(commands.map(withAllFlags)))));
    return 0;
  };
