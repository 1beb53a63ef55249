/** `l2mac help`: made from the tables of commands, flags and exit codes. */
import { UserError } from "../../core/errors.ts";
import { EXIT_CODES } from "../../core/run/exit-codes.ts";
import { suggestion } from "../../core/text/nearest-word.ts";
import type { Command, CommandSpec, Flag } from "../command.ts";
import { type Paint, paintFor, plain } from "../display/paint.ts";

interface Table {
  commands: CommandSpec[];
  /** The command with the flags of its options. */
  withAllFlags: (spec: CommandSpec) => Promise<CommandSpec>;
}

export const createHelp =
  ({ commands, withAllFlags }: Table): Command =>
  async ({ words: [name] }, shell) => {
    const spec = commands.find((command) => command.name === name);
    if (name !== undefined && !spec) throw noCommand(name, suggestion(name, namesOf(commands)));
    const paint = paintFor(shell);
    shell.out(
      spec ? helpOn(await withAllFlags(spec), shell.launcher, paint) : overview(commands, shell.launcher, paint),
    );
    return 0;
  };

export const unknownCommand = (name: string, commands: CommandSpec[]): UserError =>
  noCommand(name, suggestion(name, namesOf(commands)) || " If it is the whole task, put run before it.");

function noCommand(name: string, meant: string): UserError {
  const removed = REMOVED.get(name);
  const message = removed ? `The command ${name} was removed: ${removed.why}` : `There is no command ${name}.${meant}`;
  return new UserError(message, { exitCode: 2, remedy: { command: "help", args: removed ? [removed.successor] : [] } });
}

/** Commands that earlier versions had. */
const REMOVED = new Map([
  [
    "compile",
    {
      successor: "plan",
      why: "one state machine executes every program, and plan --lint FILE checks a program and counts its steps.",
    },
  ],
]);

const namesOf = (commands: CommandSpec[]): string[] => commands.map(({ name }) => name);

const overview = (commands: CommandSpec[], launcher: string, paint: Paint): string =>
  `${[
    `Usage: ${launcher} "<task>"            compute a task: a codebase, a book`,
    `       ${launcher} <command> [...]`,
    "",
    ...aligned(
      commands.map((command) => [`${command.name} ${command.argument}`.trim(), command.description]),
      paint,
    ),
    "",
    `Try it without a key:  ${launcher} run --rehearse`,
    `In a deployed stack:   ${launcher} run --remote, list --remote, …  (or set L2MAC_API_URL)`,
    `More on a command:     ${launcher} help <command>`,
  ].join("\n")}\n`;

/** The spec has the flags of its options too. */
export const helpOn = (spec: CommandSpec, launcher: string, paint: Paint = plain): string =>
  `${[
    `Usage: ${launcher} ${`${spec.name} ${spec.argument}`.trim()}${spec.flags.length > 0 ? " [flags]" : ""}`,
    "",
    `  ${spec.description}`,
    ...flagLines(spec.flags, paint),
    ...(spec.name === "run"
      ? ["", ...environment(launcher), "", paint("bold", "Exit codes"), ...aligned(exitCodeRows, paint)]
      : []),
  ].join("\n")}\n`;

/** Many flags are listed under a heading for each group. */
const LISTED_WITHOUT_HEADINGS = 10;

function flagLines(flags: Flag[], paint: Paint): string[] {
  if (flags.length === 0) return [];
  const lines = aligned(flags.map(rowOf), paint);
  if (flags.length <= LISTED_WITHOUT_HEADINGS) return ["", ...lines];
  return flags.flatMap(({ group = "other" }, at) => {
    const isFirst = at === 0 || (flags[at - 1]?.group ?? "other") !== group;
    return [
      ...(isFirst ? ["", paint("bold", `${group.charAt(0).toUpperCase()}${group.slice(1)}`)] : []),
      lines[at] ?? "",
    ];
  });
}

const environment = (launcher: string): string[] => [
  "Environment: OPENAI_API_KEY, OPENAI_BASE_URL, L2MAC_MODEL, L2MAC_HOME (default .l2mac), and most flags as",
  `L2MAC_<FLAG>. Files: l2mac.config.json here, and one for all your projects (${launcher} init --user). Flags win.`,
  "With L2MAC_API_URL, or --remote, a deployed stack computes: the model server and its key are the stack's.",
];

const exitCodeRows = EXIT_CODES.map(({ code, description }): [string, string] => [String(code), description]);

const rowOf = ({ name, argument, description }: Flag): [string, string] => [
  argument ? `${name} ${argument}` : name,
  description,
];

function aligned(rows: [string, string][], paint: Paint): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${paint("blue", left)}${" ".repeat(width - left.length)}  ${right}`);
}
