/** What the table of options says of each option beside its type. Pure. */
import * as z from "zod";

/** In the order in which help lists them. */
export const OPTION_GROUPS = ["task", "program", "model", "budget", "execution", "computer"] as const;
export type OptionGroup = (typeof OPTION_GROUPS)[number];

export interface OptionRow {
  group: OptionGroup;
  /** One line, without a full stop: for help, the configuration's schema and the API's description. */
  description: string;
  /** Absent: the option has no flag. */
  flag?: string;
  /** What the flag takes, as help shows it. Absent: derived from the type. */
  argument?: string;
  /** Absent: `L2MAC_<FLAG>`. */
  env?: string[];
  /** The flag and its variable switch the option off. */
  isNegated?: true;
  /** A path, relative to the file or folder where it is set. */
  isPath?: true;
  /** The option's old name, which still works as key, flag and variable. */
  formerly?: string;
  /**
   * What a project's own configuration file may set without being trusted: anything, or only less than the user allows
   * (a lower number, or switched off). Absent: nothing. It must not decide where a secret goes, what runs outside the
   * sandbox, or what a call costs.
   */
  inProject?: "anything" | "less";
}

/** The type and default of each option stand in its zod type, everything else here. */
export const optionRows = z.registry<OptionRow>();
