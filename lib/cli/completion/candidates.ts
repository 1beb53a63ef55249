/** What a shell may write for the last of the words that a user has typed. Pure. */
import type { CommandSpec, Flag } from "../command.ts";
import { HELP } from "../settings/flags.ts";

export interface CommandTable {
  commands: readonly CommandSpec[];
  /** The command with the flags of its options. */
  withAllFlags: (spec: CommandSpec) => Promise<CommandSpec>;
}

/** A shell knows its files better. */
const FILES = ":files";

/** In lines: a word, and after a tab what it means. `words`: those after `l2mac`; the last one is being typed. */
export async function candidatesFor(words: readonly string[], table: CommandTable): Promise<string[]> {
  const current = words.at(-1) ?? "";
  const offered = await offeredFor(words, table);
  return offered.filter((line) => line === FILES || line.startsWith(current));
}

async function offeredFor(words: readonly string[], { commands, withAllFlags }: CommandTable): Promise<string[]> {
  if (words.length < 2) return [...commands.map(described), "--help", "--version"];
  // A task or a flag in the place of the command is a run.
  const found = commands.find(({ name }) => name === words[0]) ?? commands.find(({ name }) => name === "run");
  if (!found) return [];
  const { name: command, argument, flags } = await withAllFlags(found);
  const before = flags.find(({ name }) => name === words.at(-2));
  const values = before && valuesOf(before);
  if (values) return values;
  if (words.at(-1)?.startsWith("-")) return [...flags, HELP].map(described);
  return command === "help" ? commands.map(described) : choicesIn(argument);
}

const described = ({ name, description }: { name: string; description: string }): string => `${name}\t${description}`;

/** Undefined: no word has to follow. */
function valuesOf({ argument, pattern }: Flag): string[] | undefined {
  if (argument === undefined || pattern !== undefined) return undefined;
  return /^(DIR|FILE|DIR\|ZIP)$/.test(argument) ? [FILES] : choicesIn(argument);
}

/** Of `bash|zsh|fish`. */
const choicesIn = (argument: string): string[] => (/^[a-z-]+(\|[a-z-]+)*$/.test(argument) ? argument.split("|") : []);
