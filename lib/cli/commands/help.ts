/** `l2mac help`: made from the tables of commands and flags. */
import { UserError } from "../../core/errors.ts";
import { suggestion } from "../../core/text/nearest-word.ts";
import type { Command, CommandSpec } from "../commands.ts";
import type { Flag } from "../settings/flags.ts";

export const createHelp =
  (commands: CommandSpec[]): Command =>
  async ({ words: [name] }, shell) => {
    const spec = commands.find((command) => command.name === name);
    if (name !== undefined && !spec) throw unknownCommand(name, commands);
    shell.out(spec ? helpOn(spec, shell.launcher) : overview(commands, shell.launcher));
    return 0;
  };

export const unknownCommand = (name: string, commands: CommandSpec[]): UserError => {
  const names = commands.map((command) => command.name);
  const meant = suggestion(name, names) || " If it is the whole task, put run before it.";
  return new UserError(`There is no command ${name}.${meant}`, { exitCode: 2, remedy: { command: "help", args: [] } });
};

const overview = (commands: CommandSpec[], launcher: string): string =>
  `${[
    `Usage: ${launcher} "<task>"            compute a task: a codebase, a book`,
    `       ${launcher} <command> [...]`,
    "",
    ...aligned(commands.map((command) => [`${command.name} ${command.takes}`.trim(), command.says])),
    "",
    `Try it without a key:  ${launcher} run --rehearse`,
    `In a deployed stack:   ${launcher} run --remote, list --remote, …  (or set L2MAC_API_URL)`,
    `More on a command:     ${launcher} help <command>`,
  ].join("\n")}\n`;

export const helpOn = (spec: CommandSpec, launcher: string): string =>
  `${[
    `Usage: ${launcher} ${`${spec.name} ${spec.takes}`.trim()}${spec.flags.length > 0 ? " [flags]" : ""}`,
    "",
    `  ${spec.says}`,
    ...(spec.flags.length > 0 ? ["", ...aligned(spec.flags.map(rowOf))] : []),
    ...(spec.name === "run" ? ["", ...environment(launcher)] : []),
  ].join("\n")}\n`;

const environment = (launcher: string): string[] => [
  "Environment: OPENAI_API_KEY, OPENAI_BASE_URL, L2MAC_MODEL, L2MAC_HOME (default .l2mac), and most flags as",
  `L2MAC_<FLAG>. Files: l2mac.config.json here, and one for all your projects (${launcher} init). Flags win.`,
  "With L2MAC_API_URL, or --remote, a deployed stack computes: the model server and its key are the stack's.",
];

const rowOf = ({ name, takes, says }: Flag): [string, string] => [takes ? `${name} ${takes}` : name, says];

function aligned(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
