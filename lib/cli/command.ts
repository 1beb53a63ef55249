/** What a command is: its row in the table of commands, its flags, and the function that runs it. */
import type { OptionGroup } from "../core/run/option-row.ts";
import type { OptionName } from "../core/run/options.ts";
import type { Shell } from "./display/shell.ts";

export interface Flag {
  name: string;
  /** What it takes, as help shows it; absent: nothing. */
  argument?: string;
  /** What its value matches, where the value may be left out; another word is not its value. */
  pattern?: RegExp;
  description: string;
  /** The heading under which help lists it. */
  group?: OptionGroup;
  /** Its old name, which still works. */
  formerly?: string;
}

export interface Arguments {
  words: string[];
  /** What follows `--`, of a command that takes another command. */
  rest?: string[];
  /** By the flag's name; a flag that takes nothing holds an empty text. */
  flags: ReadonlyMap<string, string>;
  /** Flags that were typed by their old name. */
  renamed?: Flag[];
}

/** Answers the exit code. */
export type Command = (given: Arguments, shell: Shell) => Promise<number>;

export interface CommandSpec {
  name: string;
  /** What follows the name, as help shows it. */
  argument: string;
  /** How many words may follow. */
  maxPositional: number;
  description: string;
  /** It takes another command after `--`. */
  takesRest?: true;
  flags: Flag[];
  /** Options whose flags it has too, by group or name. */
  options?: readonly (OptionGroup | OptionName)[];
  /** Options of these groups that it does not have. */
  omitted?: readonly OptionName[];
  /** Why it cannot be about a deployed stack. */
  onlyHere?: string;
  load: () => Promise<Command>;
}
