/** The man page, made of the tables of commands and exit codes: man(7), as mandoc and groff read it. Pure. */

import { EXIT_CODES } from "../core/run/exit-codes.ts";
import { optionList } from "../core/run/option-list.ts";
import type { CommandSpec, Flag } from "./command.ts";
import { commands } from "./commands.ts";
import { withOptionFlags } from "./settings/option-flags.ts";

/** When the form of the page was last changed. */
const DATE = "2026-11-23";

export const manual = (): string =>
  `${[
    `.TH L2MAC 1 "${DATE}" "l2mac" "User Commands"`,
    ".SH NAME",
    "l2mac \\- compute a task with a language model: a codebase, a book",
    ".SH SYNOPSIS",
    '.B l2mac\n"\\fItask\\fR" [\\fIflags\\fR]',
    ".br",
    ".B l2mac\n\\fIcommand\\fR [\\fIarguments\\fR] [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    text("One task text goes in; a whole codebase or book comes out."),
    text("A task alone is short for the command run. Every command takes --help."),
    ".SH COMMANDS",
    ...commands.map(withOptionFlags).flatMap(commandLines),
    ".SH ENVIRONMENT",
    ...VARIABLES.flatMap(([name, what]) => entry(`.B ${text(name)}`, what)),
    ...optionList
      .filter(({ variables }) => variables.length > 0)
      .flatMap(({ variables, description }) => entry(`.B ${text(variables.join(", "))}`, `${description}.`)),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(({ code, description }) => entry(`.B ${code}`, description)),
    ".SH FILES",
    ...entry(".I l2mac.config.json", "Settings of a project."),
    ...entry(".I ~/.config/l2mac/config.json", "Settings of all your projects."),
    ...entry(".I .l2mac", "The runs of this folder."),
  ].join("\n")}\n`;

const VARIABLES: [name: string, what: string][] = [
  ["OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY", "Keys of providers; never stored."],
  ["AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID", "Region and credentials for models of Amazon Bedrock."],
  ["L2MAC_HOME", "Where runs are kept (default .l2mac)."],
];

const commandLines = ({ name, argument, description, flags }: CommandSpec): string[] => [
  `.SS ${text(`l2mac ${name} ${argument}`.trim())}`,
  text(`${description}.`),
  ...flags.flatMap((flag) => entry(flagUsage(flag), `${flag.description}.`)),
];

const flagUsage = ({ name, argument }: Flag): string =>
  argument ? `.BI ${text(name)} " ${text(argument)}"` : `.B ${text(name)}`;

const entry = (head: string, body: string): string[] => [".TP", head, text(body)];

/** A line that begins with a dot or an apostrophe would be a request; a hyphen is to be pasted as one. */
const text = (words: string): string =>
  words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/^([.'])/, "\\&$1");
