/** The commands: one row each, and one file each. Nothing is loaded before it is needed. */
import type { CommandSpec } from "./command.ts";
import { doctorFlags } from "./deploy/deployment-flags.ts";
import { stackCommands } from "./deploy/stack-commands.ts";
import { readingCommands } from "./inspect/reading-commands.ts";
import {
  AFTER_RUN,
  FEEDBACK,
  HINT,
  IN,
  INSTEAD,
  initFlags,
  LINT,
  NEW,
  PLAN_OUT,
  PORT,
  PUSH,
  RUN_OUT,
  TO,
} from "./settings/command-flags.ts";
import { DRY_RUN, JSON_OUTPUT, NAME, PROGRAM, QUIET, REMOTE, taskFlags, YES } from "./settings/flags.ts";

/** The groups of options that a new run has. */
const RUN_OPTIONS = ["task", "program", "model", "budget", "execution"] as const;
/** What a new run can start from, besides --from, and where its steps go. */
const STARTS = [IN, AFTER_RUN, NEW, PUSH];
/** What computing on needs to know of this computer. */
const COMPUTING = ["baseUrl", "unsealed"] as const;

export const commands: CommandSpec[] = [
  {
    name: "run",
    argument: '"<task>"',
    maxPositional: 1,
    description: "Compute a task to its end",
    options: RUN_OPTIONS,
    flags: [...taskFlags, ...STARTS, DRY_RUN, PROGRAM, RUN_OUT, REMOTE],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "plan",
    argument: '"<task>"|<run>',
    maxPositional: 1,
    description: "Write the program, which then waits for approval",
    options: RUN_OPTIONS,
    omitted: ["approve"],
    flags: [...taskFlags, ...STARTS, FEEDBACK, LINT, PLAN_OUT, REMOTE],
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  ...readingCommands,
  {
    name: "cancel",
    argument: "[run]",
    maxPositional: 1,
    description: "Stop a run; accepted work is kept, and resume continues it",
    flags: [REMOTE],
    load: async () => (await import("./commands/cancel.ts")).cancel,
  },
  {
    name: "approve",
    argument: "[run]",
    maxPositional: 1,
    description: "Execute the program that waits for approval",
    options: COMPUTING,
    flags: [INSTEAD, JSON_OUTPUT, QUIET, REMOTE],
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  {
    name: "reject",
    argument: "[run]",
    maxPositional: 1,
    description: "End a run whose program waits for approval, without executing it",
    flags: [REMOTE],
    load: async () => (await import("./commands/reject.ts")).reject,
  },
  {
    name: "resume",
    argument: "[run]",
    maxPositional: 1,
    description: "Continue a run that stopped",
    options: ["model", "budget", "onStuck", "unsealed"],
    flags: [HINT, JSON_OUTPUT, QUIET, REMOTE],
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "back",
    argument: "[run]",
    maxPositional: 1,
    description: "Begin a new run as a run was before one of its instructions",
    options: COMPUTING,
    flags: [TO, NAME, RUN_OUT, JSON_OUTPUT, QUIET, REMOTE],
    load: async () => (await import("./commands/back.ts")).back,
  },
  {
    name: "delete",
    argument: "[run]",
    maxPositional: 1,
    description: "Delete a run and all its data; delivered files stay",
    flags: [YES, REMOTE],
    load: async () => (await import("./commands/delete.ts")).deleteRun,
  },
  {
    name: "replay",
    argument: "[run]",
    maxPositional: 1,
    description: "Compute a run again from its journal, and compare",
    options: ["prompts"],
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    name: "open",
    argument: "[run]",
    maxPositional: 1,
    description: "Show a run in the browser",
    options: COMPUTING,
    flags: [PORT, REMOTE],
    load: async () => (await import("./commands/open-page.ts")).openPage,
  },
  {
    name: "serve",
    argument: "",
    maxPositional: 0,
    description: "Serve the page and the HTTP API on this computer",
    options: COMPUTING,
    flags: [PORT],
    onlyHere: "it serves the API of this computer.",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "doctor",
    argument: "",
    maxPositional: 0,
    description: "Check whether a run could start here, and what is missing",
    options: ["model", "prompts"],
    flags: [REMOTE, ...doctorFlags, JSON_OUTPUT],
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  {
    name: "models",
    argument: "[text]",
    maxPositional: 1,
    description: "List the known models and what they cost",
    options: ["baseUrl"],
    flags: [JSON_OUTPUT],
    onlyHere: "it shows what the keys of this computer can use.",
    load: async () => (await import("./commands/models.ts")).models,
  },
  ...stackCommands,
  {
    name: "init",
    argument: "",
    maxPositional: 0,
    description: "Ask three questions, write a configuration file, and try one call",
    options: ["model", "budget", "dailyUsd", "unsealed", "workspace"],
    flags: initFlags,
    onlyHere: "it writes a file of this computer.",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "trust",
    argument: "",
    maxPositional: 0,
    description: "Trust the settings and the runs that this folder brings",
    flags: [],
    onlyHere: "it is about a folder of this computer.",
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    name: "key",
    argument: "show",
    maxPositional: 1,
    description: "Print the public key with which deliveries of this computer are verified",
    flags: [JSON_OUTPUT],
    onlyHere: "it shows a key of this computer.",
    load: async () => (await import("./provenance/key.ts")).key,
  },
  {
    name: "completion",
    argument: "bash|zsh|fish",
    maxPositional: 1,
    description: "Print the script with which a shell completes commands and flags",
    flags: [],
    onlyHere: "it is about a shell of this computer.",
    load: async () => (await import("./commands/completion.ts")).createCompletion({ commands, withAllFlags }),
  },
  {
    name: "help",
    argument: "[command]",
    maxPositional: 1,
    description: "Show how a command is used",
    flags: [],
    load: async () => (await import("./commands/help.ts")).createHelp({ commands, withAllFlags }),
  },
  {
    name: "version",
    argument: "",
    maxPositional: 0,
    description: "Print the version",
    flags: [],
    load: async () => (await import("./commands/version.ts")).version,
  },
];

export const commandNamed = (name: string): CommandSpec | undefined => commands.find((each) => each.name === name);

/** With the flags of its options, whose table takes a while to load. */
export const withAllFlags = async (spec: CommandSpec): Promise<CommandSpec> =>
  spec.options ? (await import("./settings/option-flags.ts")).withOptionFlags(spec) : spec;
