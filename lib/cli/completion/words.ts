/** What a shell completes: the commands, and the flags of each with what they take. Pure. */
import type { CommandSpec, Flag } from "../command.ts";
import { HELP } from "../settings/flags.ts";

export interface CompletedFlag {
  name: string;
  description: string;
  /** Whether a word follows; its words, where they are few; `path`: a file or folder. */
  takes?: readonly string[] | "path" | "word";
}

export interface CompletedCommand {
  name: string;
  description: string;
  flags: CompletedFlag[];
  /** What the first word after it may be, where they are few. */
  words: readonly string[];
}

export const completedCommands = (specs: readonly CommandSpec[]): CompletedCommand[] =>
  specs.map((spec) => ({
    name: spec.name,
    description: spec.description,
    flags: [...spec.flags, HELP].map(completedFlag),
    words: wordsOf(spec, specs),
  }));

function completedFlag({ name, argument, description, pattern }: Flag): CompletedFlag {
  // A word that may be left out is not waited for.
  if (argument === undefined || pattern !== undefined) return { name, description };
  if (/^(DIR|FILE|DIR\|ZIP)$/.test(argument)) return { name, description, takes: "path" };
  const choices = /^[a-z-]+(\|[a-z-]+)*$/.test(argument) ? argument.split("|") : undefined;
  return { name, description, takes: choices ?? "word" };
}

function wordsOf({ name, argument }: CommandSpec, specs: readonly CommandSpec[]): readonly string[] {
  if (name === "help") return specs.map((each) => each.name);
  return /^[a-z]+(\|[a-z]+)+$/.test(argument) ? argument.split("|") : [];
}
