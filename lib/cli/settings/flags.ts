/** The flags that are not options of a run, and are shared by several commands. */
import type { Flag } from "../command.ts";

export const JSON_OUTPUT: Flag = { name: "--json", description: "Write machine-readable JSON to standard output" };
export const QUIET: Flag = { name: "--quiet", description: "Show no progress, only how it ended" };
export const HELP: Flag = { name: "--help", description: "Show how the command is used" };
export const YES: Flag = { name: "--yes", description: "Delete without asking" };

export const REMOTE: Flag = {
  name: "--remote",
  argument: "[URL]",
  pattern: /^[a-z][\w+.-]*:\/\S*$/i,
  description: "Use a deployed stack (or set L2MAC_API_URL)",
};

export const DRY_RUN: Flag = {
  name: "--dry-run",
  group: "task",
  description: "List what a model may see of --from, and what is left out; nothing is sent",
};

export const NAME: Flag = {
  name: "--name",
  argument: "N",
  group: "task",
  description: "Name of the run (default: from the task)",
};

/** What a new run is made of: files of this computer, and where its own go. */
export const taskFlags: Flag[] = [
  { name: "--spec", argument: "FILE", group: "task", description: "Read the task from a file; - is standard input" },
  {
    name: "--from",
    argument: "DIR|ZIP|URL",
    group: "task",
    description: "Start from a folder, a zip, or a Git repository: https://…[#branch]",
  },
  {
    name: "--tests",
    argument: "DIR|ZIP",
    group: "task",
    description: "Tests that the result must pass and that the model cannot change",
  },
  NAME,
  JSON_OUTPUT,
  QUIET,
  { name: "--rehearse", description: "Play a recorded scene: no key, no model, no cost" },
];

export const PROGRAM: Flag = {
  name: "--program",
  argument: "FILE",
  group: "program",
  description: "Execute this program (.md, .yaml or .json) instead of planning one",
};
