/** The commands: one row each, and one file each. Nothing is loaded before it is needed. */
import type { CommandSpec, Flag } from "./command.ts";
import { deployFlags, destroyFlags, doctorFlags } from "./deploy/deployment-flags.ts";
import { DRY_RUN, JSON_OUTPUT, PROGRAM, REMOTE, taskFlags, YES } from "./settings/flags.ts";

const OUT: Flag = { name: "--out", argument: "DIR", description: "Folder for the files" };
const PORT: Flag = { name: "--port", argument: "N", description: "Port to listen on (default 4600; 0: a free one)" };
const AT: Flag = { name: "--at", argument: "N", description: "As instruction N left it (0: before the first)" };
const AFTER: Flag = { name: "--after", argument: "N", description: "Only events after number N" };
const LIMIT: Flag = { name: "--limit", argument: "N", description: "The latest N runs (default 50; with --json: all)" };
const FOLLOW: Flag = { name: "--follow", description: "Continue until the run ends or waits" };
const RUN_OUT: Flag = { ...OUT, description: "Folder for the files (default ./workspace/<name>)" };
const PLAN_OUT: Flag = { name: "--out", argument: "FILE", description: "Write the program to this file" };
const REPORT_OUT: Flag = { ...OUT, description: "Folder for the page (default ./<name>-report)" };
const INSTEAD: Flag = {
  ...PROGRAM,
  description: "Execute this program (.md, .yaml or .json) instead of the waiting one",
};

/** The groups of options that a new run has. */
const RUN_OPTIONS = ["task", "program", "model", "budget", "execution"] as const;
/** What computing on needs to know of this computer. */
const COMPUTING = ["baseUrl", "unsealed"] as const;

export const commands: CommandSpec[] = [
  {
    name: "run",
    argument: '"<task>"',
    maxPositional: 1,
    description: "Compute a task to its end",
    options: RUN_OPTIONS,
    flags: [...taskFlags, DRY_RUN, PROGRAM, RUN_OUT, REMOTE],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "plan",
    argument: '"<task>"',
    maxPositional: 1,
    description: "Write the program, which then waits for approval",
    options: RUN_OPTIONS,
    omitted: ["approve"],
    flags: [...taskFlags, PLAN_OUT, REMOTE],
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  {
    name: "list",
    argument: "",
    maxPositional: 0,
    description: "List the runs, latest first",
    flags: [LIMIT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/list.ts")).list,
  },
  {
    name: "status",
    argument: "[run]",
    maxPositional: 1,
    description: "Show the status of a run (default: the latest)",
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "watch",
    argument: "[run]",
    maxPositional: 1,
    description: "Follow a run that another process computes",
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "log",
    argument: "[run]",
    maxPositional: 1,
    description: "Show the events of a run",
    flags: [AFTER, FOLLOW, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/log.ts")).log,
  },
  {
    name: "tree",
    argument: "[run]",
    maxPositional: 1,
    description: "List the files of a run",
    flags: [AT, JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/tree.ts")).tree,
  },
  {
    name: "cat",
    argument: "[run] <path>",
    maxPositional: 2,
    description: "Print one file of a run",
    flags: [AT, REMOTE],
    load: async () => (await import("./commands/cat.ts")).cat,
  },
  {
    name: "get",
    argument: "[run]",
    maxPositional: 1,
    description: "Unpack the files of a run into a folder",
    flags: [OUT, AT, REMOTE],
    load: async () => (await import("./commands/get.ts")).get,
  },
  {
    name: "report",
    argument: "[run]",
    maxPositional: 1,
    description: "Write a report of a run as a page with charts",
    flags: [REPORT_OUT, REMOTE],
    load: async () => (await import("./commands/report.ts")).report,
  },
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
    flags: [INSTEAD, JSON_OUTPUT, REMOTE],
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
    options: ["budget", ...COMPUTING],
    flags: [JSON_OUTPUT, REMOTE],
    load: async () => (await import("./commands/resume.ts")).resume,
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
    description: "List the known models and what they cost (of those whose name has the text)",
    options: ["baseUrl"],
    flags: [JSON_OUTPUT],
    onlyHere: "it shows what the keys of this computer can use.",
    load: async () => (await import("./commands/models.ts")).models,
  },
  {
    name: "deploy",
    argument: "",
    maxPositional: 0,
    description: "Deploy the stack to an AWS account, or update it",
    flags: deployFlags,
    onlyHere: "it makes the stack that --remote then speaks to.",
    load: async () => (await import("./deploy/deploy.ts")).deploy,
  },
  {
    name: "destroy",
    argument: "",
    maxPositional: 0,
    description: "Delete the stack; runs are kept unless configured otherwise",
    flags: destroyFlags,
    onlyHere: "it deletes the stack that l2mac.cloud.json names.",
    load: async () => (await import("./deploy/destroy.ts")).destroy,
  },
  {
    name: "init",
    argument: "",
    maxPositional: 0,
    description: "Write a configuration file for this user",
    options: ["model", "budget", "dailyUsd", "unsealed"],
    flags: [],
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
    name: "help",
    argument: "[command]",
    maxPositional: 1,
    description: "Show how a command is used",
    flags: [],
    load: async () => (await import("./commands/help.ts")).createHelp({ commands, withAllFlags }),
  },
];

export const commandNamed = (name: string): CommandSpec | undefined => commands.find((each) => each.name === name);

/** With the flags of its options, whose table takes a while to load. */
export const withAllFlags = async (spec: CommandSpec): Promise<CommandSpec> =>
  spec.options ? (await import("./settings/option-flags.ts")).withOptionFlags(spec) : spec;
